import { freePort } from "@partner-connect/local-stack";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sendForm } from "../../harness/actors/http.ts";
import { type RawAnswer, type RawSending, sendRaw } from "../../harness/faults/raw-sender.ts";
import { type Caddy, startCaddy } from "../../harness/stack/caddy.ts";
import { type OwnStack, startOwnStack } from "../../harness/stack/stacks.ts";

let stack: OwnStack;
let caddy: Caddy;
let port: number;

beforeAll(async () => {
  [stack, port] = await Promise.all([startOwnStack(), freePort()]);
  caddy = await startCaddy(stack, { port });
  slow = slowClients();
});

afterAll(async () => {
  await caddy?.stop();
  await stack?.stop();
});

/** Responses to slow clients, all at the same time. */
let slow: Promise<{ bodies: readonly RawAnswer[]; header: RawAnswer }>;

async function slowClients() {
  const trickle = { size: 16_000, piece: 10, pause: 100 };
  const head = ["GET /api/responses HTTP/1.1", `host: localhost:${port}`, "x: "];
  const [header, ...bodies] = await Promise.all([
    sendRaw({ port, head, size: 0, endless: true }),
    post("/oauth/api/token", trickle),
    post("/oauth/api/token", { ...trickle, chunked: true }),
  ]);
  return { header, bodies };
}

/** Bytes that fill the socket buffers of both sides when the peer reads nothing. */
const BUFFERS = 10_000_000;
const TOKEN_REFUSAL = { error: "invalid_request", error_description: "the body can't be read" };

function post(path: string, sending: Pick<RawSending, "size" | "chunked" | "pause" | "piece">) {
  const type = path.startsWith("/api/") ? "application/json" : "application/x-www-form-urlencoded";
  const head = [`POST ${path} HTTP/1.1`, `host: localhost:${port}`, `content-type: ${type}`];
  return sendRaw({ port, head, ...sending });
}

const said = ({ status, body }: RawAnswer) => [status, body && JSON.parse(body)];

describe("Caddy", () => {
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

  test("a body that comes slowly is refused as such, and a header that doesn't end has the connection closed", async () => {
    const { bodies, header } = await slow;
    for (const answer of bodies) expect(said(answer)).toEqual([408, { error: "invalid_request" }]);
    expect([0, 408]).toContain(header.status);
  });

  test("what one client sends wrongly takes no replica away from the others", async () => {
    for (let turn = 0; turn < 3; turn++) {
      await Promise.all([1, 2, 3, 4].map(() => post("/oauth/api/token", { size: 20_000_000, chunked: true })));
      const url = `http://localhost:${port}/oauth/api/token`;
      const answers = await Promise.all([1, 2, 3, 4].map(() => sendForm(url, {})));
      expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 401]);
    }
  });
});
