import { randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { get } from "node:https";
import { text } from "node:stream/consumers";
import { freePort } from "@partner-connect/local-stack";
import { afterAll, beforeAll, expect, test } from "vitest";
import { send, sendForm } from "../../harness/actors/http.ts";
import { merchantBrowser } from "../../harness/actors/merchant-browser.ts";
import { onboard } from "../../harness/actors/onboarding.ts";
import { partner } from "../../harness/actors/partner.ts";
import { type RawAnswer, type RawSending, sendRaw } from "../../harness/faults/raw-sender.ts";
import {
  type Caddy,
  type CaddyStack,
  startCaddy,
  startCaddyStack,
} from "../../harness/stack/caddy.ts";
import { until } from "../../harness/stack/processes.ts";

let stack: CaddyStack;
let port: number;
/** Another Caddy, which serves HTTPS. */
let secure: Caddy;
let securePort: number;
/** Answers to slow clients, all at the same time. */
let slow: Promise<readonly RawAnswer[]>;

beforeAll(async () => {
  stack = await startCaddyStack();
  port = Number(new URL(stack.now.base_url).port);
  const trickle = { size: 16_000, piece: 10, pause: 100 };
  slow = Promise.all([
    post("/oauth/api/token", trickle),
    post("/oauth/api/token", { ...trickle, chunked: true }),
    sendRaw({
      port,
      head: ["GET /api/responses HTTP/1.1", `host: localhost:${port}`, "x: "],
      size: 0,
      endless: true,
    }),
  ]);
  securePort = await freePort();
  secure = await startCaddy(stack, { port: securePort, scheme: "https" });
  // Caddy creates the certificates once it serves.
  for (const name of ["localhost", "auth.localhost", "api.localhost"]) {
    await until(() => askSecurely(name, "/").then(Boolean, () => false));
  }
});
afterAll(async () => {
  await secure?.stop();
  await stack?.stop();
});

function post(path: string, sending: Pick<RawSending, "size" | "chunked" | "pause" | "piece">) {
  const type = path.startsWith("/api/") ? "application/json" : "application/x-www-form-urlencoded";
  const head = [`POST ${path} HTTP/1.1`, `host: localhost:${port}`, `content-type: ${type}`];
  return sendRaw({ port, head, ...sending });
}

/** Sends a request over TLS, trusting only Caddy's own root. */
async function askSecurely(servername: string, path: string, host = `${servername}:${securePort}`) {
  const ca = await secure.root();
  const incoming = await new Promise<IncomingMessage>((resolve, reject) => {
    const options = {
      host: "127.0.0.1",
      port: securePort,
      path,
      ca,
      servername,
      headers: { host },
      agent: false,
    };
    get(options, resolve).on("error", reject);
  });
  return { status: incoming.statusCode, headers: incoming.headers, body: await text(incoming) };
}

test("the longest redirect_uri and state come back through Caddy unchanged", async () => {
  const redirectUri = `https://partner.example/${"c".repeat(1976)}`;
  const state = "€".repeat(682);
  const { client, merchant, shop } = await onboard(stack.now, { redirectUris: [redirectUri] });
  const { url } = partner(stack.now, client).attempt({ redirectUri, overrides: { state } });
  const arrived = await merchantBrowser(merchant).approve(url, shop);
  expect(arrived.startsWith(`${redirectUri}?code=`)).toBe(true);
  expect(new URL(arrived).searchParams.get("state")).toBe(state);
});

test("Caddy's log has no secret, and shortens paths and long values", async () => {
  const secret = randomUUID();
  for (const path of [
    `/oauth/${secret}`,
    `/oauth/api/authorize?state=${secret}`,
    `/api/${secret}`,
    `/${secret}`,
  ]) {
    await send(stack.now.base_url + path, { headers: { "x-secret": secret } });
  }
  await expect.poll(() => stack.log().match(/"uri":"[^"]*"/g)).toContain('"uri":"/api/..."');
  expect(stack.log()).not.toContain(secret);

  const long = "X".repeat(20_000);
  // By then the records of the earlier requests have been written.
  const { headers } = await send(`${stack.now.base_url}/none`);
  await expect.poll(() => stack.log()).toContain(`"user_id":"${headers["x-request-id"]}"`);
  const before = stack.log().length;
  const ask = (line: string, host: string, header = "a") =>
    sendRaw({
      port,
      head: [`${line} HTTP/1.1`, `host: ${host}`, `x-header: ${header}`, "connection: close"],
      size: 0,
    });
  await ask("GET /", long);
  await ask(`GET /${long}`, `localhost:${port}`);
  await ask(`GET /oauth/${long}`, `localhost:${port}`);
  await ask("GET /oauth/connections", `localhost:${port}`, long);
  // The slow clients call the API.
  const records = () =>
    stack
      .log()
      .slice(before)
      .split("\n")
      .filter((line) => /handled request(?!.*\/api\/)/.test(line));
  await expect.poll(() => records().length).toBe(4);
  expect(Math.max(...records().map((line) => line.length))).toBeLessThan(2000);
});

test("Caddy serves each public host's own paths by HTTPS only, and refuses other hosts", async () => {
  const { status, headers } = await askSecurely(
    "localhost",
    "/.well-known/oauth-authorization-server",
  );
  expect([status, headers["alt-svc"]]).toEqual([
    200,
    expect.stringContaining(`h3=":${securePort}"`),
  ]);
  expect((await askSecurely("auth.localhost", "/oauth/api/jwks")).status).toBe(200);
  expect((await askSecurely("api.localhost", "/api/responses")).status).toBe(401);
  const none = await askSecurely("api.localhost", "/oauth/api/jwks");
  expect([none.status, none.headers["strict-transport-security"]]).toEqual([
    404,
    "max-age=31536000",
  ]);
  expect((await askSecurely("localhost", "/oauth/api/jwks", "evil.example")).status).toBe(404);
  await expect(askSecurely("evil.example", "/oauth/api/jwks")).rejects.toThrow(/alert/);

  const plain = await sendRaw({
    port: Number(new URL(secure.redirectingUrl).port),
    head: ["GET /api/responses HTTP/1.1", "host: api.localhost", "connection: close"],
    size: 0,
  });
  const location = `https://api.localhost:${securePort}/api/responses`;
  expect(plain.status).toBe(308);
  expect(plain.head.split("\r\n")).toContain(`location: ${location}`);
});

test("Caddy's internal port serves only metrics and JWKS", async () => {
  const found = async (path: string) => (await send(`${stack.innerUrl}${path}`)).status;
  expect((await send(`${stack.innerUrl}/metrics`)).text).toContain(
    "caddy_reverse_proxy_upstreams_healthy",
  );
  expect([
    await found("/oauth/api/jwks"),
    await found("/api/responses"),
    await found("/oauth/sign-in"),
  ]).toEqual([200, 404, 404]);
});

/** Bytes that fill the socket buffers of both sides when the peer reads nothing. */
const BUFFERS = 10_000_000;
const TOKEN_REFUSAL = { error: "invalid_request", error_description: "the body can't be read" };
const said = ({ status, body }: RawAnswer) => [status, body && JSON.parse(body)];

test("a body of 20 MB gets the service's refusal before it is read completely", async () => {
  for (const [path, refusal] of [
    ["/oauth/api/token", [400, TOKEN_REFUSAL]],
    ["/oauth/api/token/batch", [400, TOKEN_REFUSAL]],
    ["/oauth/sign-in", [413, { error: "bad_request" }]],
    ["/api/sources", [413, { error: "payload_too_large" }]],
  ] as const) {
    for (const chunked of path === "/api/sources" ? [false] : [false, true]) {
      const answer = await post(path, { size: 20_000_000, chunked });
      // The service may notice a chunked form's size before Caddy does, and show its own page.
      if (chunked && path === "/oauth/sign-in") expect(answer.status).toBe(413);
      else expect([path, said(answer)]).toEqual([path, refusal]);
      expect(answer.taken).toBeLessThan(BUFFERS);
    }
  }
});

test("Caddy ends a request whose body or header arrives too slowly, with 408 for a body", async () => {
  const [one, chunked, header] = await slow;
  for (const answer of [one, chunked])
    expect(answer && said(answer)).toEqual([408, { error: "invalid_request" }]);
  expect([0, 408]).toContain(header?.status);
});

test("clients' oversized bodies don't make Caddy mark a replica as down", async () => {
  for (let turn = 0; turn < 3; turn++) {
    await Promise.all(
      [1, 2, 3, 4].map(() => post("/oauth/api/token", { size: 20_000_000, chunked: true })),
    );
    const answers = await Promise.all(
      [1, 2, 3, 4].map(() => sendForm(`${stack.now.base_url}/oauth/api/token`, {})),
    );
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 401]);
  }
});
