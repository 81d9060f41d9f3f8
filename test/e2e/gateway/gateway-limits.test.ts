import { get, type IncomingMessage } from "node:http";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort } from "@partner-connect/local-stack";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Answer, send, sendForm } from "../../harness/actors/http.ts";
import { onboardApiKey, onboardMerchant, onboardShop } from "../../harness/actors/onboarding.ts";
import { generateResponses, importRecords } from "../../harness/actors/survey.ts";
import { type RawAnswer, type RawSending, sendRaw } from "../../harness/faults/raw-sender.ts";
import { type Caddy, startCaddy } from "../../harness/stack/caddy.ts";
import { type OwnStack, startOwnStack } from "../../harness/stack/stacks.ts";

let stack: OwnStack;
const caddies: Caddy[] = [];
const ports: Record<string, number> = {};

/** The production Caddyfile with other lengths of time. */
function withTimes(times: Readonly<Record<string, string>>): (caddyfile: string) => string {
  return (caddyfile) =>
    Object.entries(times).reduce((text, [name, time]) => {
      const changed = text.replace(new RegExp(`\\b${name} \\d+[smh]$`, "m"), `${name} ${time}`);
      expect(changed).not.toBe(text);
      return changed;
    }, caddyfile);
}

async function addCaddy(name: string, times: Readonly<Record<string, string>> = {}): Promise<void> {
  const port = await freePort();
  caddies.push(await startCaddy(stack, { port, change: withTimes(times) }));
  ports[name] = port;
}

beforeAll(async () => {
  stack = await startOwnStack();
  await addCaddy("Caddy");
  slow = slowClients();
});

afterAll(async () => {
  for (const caddy of caddies) await caddy.stop();
  await stack?.stop();
});

/** What slow clients got, all at the same time. */
let slow: Promise<{ bodies: readonly RawAnswer[]; header: RawAnswer }>;

async function slowClients() {
  const trickle = { size: 16_000, piece: 10, pause: 100 };
  const port = ports["Caddy"] ?? expect.fail();
  const head = ["GET /api/responses HTTP/1.1", `host: localhost:${port}`, "x: "];
  const [header, ...bodies] = await Promise.all([
    sendRaw({ port, head, size: 0, endless: true }),
    post("/oauth/api/token", trickle),
    post("/oauth/api/token", { ...trickle, chunked: true }),
  ]);
  return { header, bodies };
}

/** What is certain to be in the buffers of both systems when the other side reads nothing. */
const BUFFERS = 10_000_000;
const TOKEN_REFUSAL = { error: "invalid_request", error_description: "the body can't be read" };

function post(path: string, sending: Pick<RawSending, "size" | "chunked" | "pause" | "piece">) {
  const port = ports["Caddy"] ?? expect.fail();
  const type = path.startsWith("/api/") ? "application/json" : "application/x-www-form-urlencoded";
  const head = [`POST ${path} HTTP/1.1`, `host: localhost:${port}`, `content-type: ${type}`];
  return sendRaw({ port, head, ...sending });
}

const said = ({ status, body }: RawAnswer) => [status, body && JSON.parse(body)];

describe("Caddy", () => {
  test("takes the 256 KB that a batch of refreshes may have", async () => {
    const body = JSON.stringify({ refresh_tokens: Array(1000).fill("x".repeat(250)) });
    const headers = { "content-type": "application/json" };
    const answer = await send(`http://localhost:${ports["Caddy"]}/oauth/api/token/batch`, {
      method: "POST",
      body,
      headers,
    });
    expect([answer.status, answer.json().error]).toEqual([401, "invalid_client"]);
  });

  test.each([
    ["a token call", "/oauth/api/token", [400, TOKEN_REFUSAL]],
    ["a batch of refreshes", "/oauth/api/token/batch", [400, TOKEN_REFUSAL]],
    ["a form", "/oauth/sign-in", [413, { error: "bad_request" }]],
    ["an API call", "/api/sources", [413, { error: "payload_too_large" }]],
  ] as const)("a body of 20 MB of %s is read in part, and refused as its service says it", async (_, path, refusal) => {
    for (const chunked of path === "/api/sources" ? [false] : [false, true]) {
      const answer = await post(path, { size: 20_000_000, chunked });
      // In chunks the service may be the first to see a form's, and show its page.
      if (chunked && path === "/oauth/sign-in") expect(answer.status).toBe(413);
      else expect(said(answer)).toEqual(refusal);
      expect(answer.taken).toBeLessThan(BUFFERS);
    }
  });

  test("what a service refuses up to 100 KB, it says itself", async () => {
    expect(said(await post("/oauth/api/token", { size: 99_999 }))).toEqual([400, TOKEN_REFUSAL]);
    expect(said(await post("/api/sources", { size: 99_999 }))).toEqual([401, { error: "unauthorized" }]);
  });

  test("a body that comes slowly is refused as such, and a header that doesn't end has the connection closed", async () => {
    const { bodies, header } = await slow;
    for (const answer of bodies) expect(said(answer)).toEqual([408, { error: "invalid_request" }]);
    expect([0, 408]).toContain(header.status);
  });

  test("32 KB of headers reach the service, as by the local gateway", async () => {
    const headers = { "x-padding": "x".repeat(32_000) };
    for (const url of [`http://localhost:${ports["Caddy"]}`, stack.now.base_url]) {
      const { status, text } = await send(`${url}/api/responses`, { headers });
      expect([status, JSON.parse(text)]).toEqual([401, { error: "unauthorized" }]);
    }
  });

  test("HEAD is passed on, and answered as GET without the body", async () => {
    const paths = ["/docs", "/oauth/api/jwks", "/.well-known/oauth-authorization-server", "/api/openapi.json"];
    for (const path of [...paths, "/api/responses", "/none"]) {
      const url = `http://localhost:${ports["Caddy"]}${path}`;
      // Caddy asks a service for gzip where a GET says nothing of codings, and unpacks it.
      const headers = { "accept-encoding": "identity" };
      const [get, head] = [await send(url, { headers }), await send(url, { method: "HEAD", headers })];
      const told = ({ status, headers }: Answer) => [
        path,
        status,
        headers["content-type"],
        headers["content-length"],
        headers.etag,
      ];
      expect(told(head)).toEqual(told(get));
      expect([get.text === "", head.text]).toEqual([false, ""]);
    }
  });

  test("what one client sends wrongly takes no replica away from the others", async () => {
    for (let turn = 0; turn < 3; turn++) {
      await Promise.all([1, 2, 3, 4].map(() => post("/oauth/api/token", { size: 20_000_000, chunked: true })));
      const url = `http://localhost:${ports["Caddy"]}/oauth/api/token`;
      const answers = await Promise.all([1, 2, 3, 4].map(() => sendForm(url, {})));
      expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 401]);
    }
  });
});

test("Caddy doesn't cut off who reads slowly, however short the limits of requests are; a whole answer has a limit of its own", async () => {
  await addCaddy("hasty", { read_header: "1s", read_body: "1s", idle: "1s" });
  await addCaddy("short", { write: "1s" });
  const shop = await onboardShop(stack.now, await onboardMerchant(stack.now));
  const { key } = await onboardApiKey(stack.now, shop);
  // A page of some 10 MB: more than the buffers between keep for a reader.
  const long = generateResponses(1000, "slow").map((record) => ({
    ...record,
    other_response: "long ".repeat(2000),
  }));
  await importRecords(stack.now, "response", shop, long);
  const read = async (name: string) =>
    await recordsReadLate(`http://localhost:${ports[name]}/api/responses?limit=1000`, key);
  const [whole, cut] = await Promise.allSettled([read("hasty"), read("short")]);
  expect(whole).toEqual({ status: "fulfilled", value: 1000 });
  expect(cut).toMatchObject({ status: "rejected" });
});

/** How many records a page has. Nothing is read of it for two seconds. Rejects when it was cut off. */
async function recordsReadLate(url: string, key: string): Promise<number> {
  const { port, pathname, search } = new URL(url);
  const headers = { authorization: key, host: `localhost:${port}` };
  const incoming = await new Promise<IncomingMessage>((resolve, reject) => {
    get({ host: "127.0.0.1", port, path: pathname + search, headers }, resolve).on("error", reject);
  });
  await sleep(2000);
  return JSON.parse(await text(incoming)).data.length;
}
