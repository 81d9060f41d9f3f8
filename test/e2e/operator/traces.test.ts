import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import {
  createServer,
  type IncomingHttpHeaders,
  type RequestListener,
  type Server,
} from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type Answer, send } from "../../harness/actors/http.ts";
import { merchantBrowser } from "../../harness/actors/merchant-browser.ts";
import { onboard } from "../../harness/actors/onboarding.ts";
import { operator, runOperator } from "../../harness/actors/operator.ts";
import { type Partner, partner } from "../../harness/actors/partner.ts";
import { type OwnStack, startOwnStack } from "../../harness/stack/stacks.ts";

const COLLECTOR_KEY = randomBytes(16).toString("hex");

/**
 * A collector of traces: OTLP by HTTP, in protobuf. It contains names and ids verbatim, so no
 * decoder is needed.
 */
const exports: { readonly body: Buffer; readonly headers: IncomingHttpHeaders }[] = [];
const sent = () => Buffer.concat(exports.map(({ body }) => body)).toString("latin1");
const spansOf = (traceId: string) =>
  sent().split(Buffer.from(traceId, "hex").toString("latin1")).length - 1;

let collector: Server;
let stack: OwnStack;
let app: Partner;
let accessToken: string;
let refreshToken: string;
const secrets: string[] = [COLLECTOR_KEY, "limit=", "code_challenge"];

async function listen(handler: RequestListener): Promise<{ server: Server; port: number }> {
  const server = createServer(handler).listen(0, "127.0.0.1");
  await once(server, "listening");
  return { server, port: (server.address() as AddressInfo).port };
}

beforeAll(async () => {
  const { server, port } = await listen(async (request, response) => {
    expect([request.method, request.url]).toEqual(["POST", "/v1/traces"]);
    exports.push({ body: await buffer(request), headers: request.headers });
    response.writeHead(200, { "content-type": "application/x-protobuf" }).end();
  });
  collector = server;
  stack = await startOwnStack({
    env: {
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
      OTEL_EXPORTER_OTLP_HEADERS: `x-key=${COLLECTOR_KEY}`,
      ...{
        AUTHORIZATION_SERVER_REPLICAS: "1",
        RESOURCE_SERVER_REPLICAS: "1",
        WORKER_REPLICAS: "1",
      },
    },
  });
  const { client, merchant, shop } = await onboard(stack.now);
  app = partner(stack.now, client);
  const browser = merchantBrowser(merchant);
  const obtained = await app.obtainCode(browser, shop);
  ({ access_token: accessToken, refresh_token: refreshToken } = (
    await app.exchange(obtained)
  ).json());
  secrets.push(
    client.secret,
    merchant.password,
    merchant.email,
    obtained.code,
    obtained.codeVerifier,
    obtained.state,
  );
  secrets.push(accessToken, refreshToken, ...browser.cookies());
});
afterAll(async () => {
  await stack?.stop();
  collector?.close().closeAllConnections();
});

/** The trace id in the log record of a request to the resource server. */
async function traceOf({ headers }: Answer): Promise<string> {
  const file = join(stack.now.dataDir, "logs", "resource-server-1.log");
  return await vi.waitFor(async () => {
    const lines = (await readFile(file, "utf8")).split("\n");
    return JSON.parse(lines.find((line) => line.includes(String(headers["x-request-id"]))) ?? "")
      .trace_id;
  }, 10_000);
}

test("an API call is one trace over resource server, Postgres and Redis, whose id is in its log record; a caller's own trace is ignored", async () => {
  const traceId = await traceOf(await app.call("/api/responses?limit=3", accessToken));
  await expect.poll(() => spansOf(traceId)).toBe(3);
  for (const name of ["GET /api/responses", "EVALSHA", "survey.responses", app.client.clientId])
    expect(sent()).toContain(name);

  const theirs = randomBytes(16).toString("hex");
  const headers = {
    authorization: `Bearer ${accessToken}`,
    traceparent: `00-${theirs}-${randomBytes(8).toString("hex")}-00`,
    tracestate: `theirs=${theirs}`,
  };
  const ours = await traceOf(await send(`${stack.now.base_url}/api/questions`, { headers }));
  await expect.poll(() => spansOf(ours)).toBeGreaterThan(1);
  expect([spansOf(theirs), sent().includes(theirs)]).toEqual([0, false]);
});

test("no secret, query or personal data is in a trace; the collector's key is only in its header", async () => {
  const { server, port } = await listen((request, response) =>
    request.resume().on("end", () => response.writeHead(500).end()),
  );
  const url = `http://localhost:${port}/hooks-${COLLECTOR_KEY}`;
  const words = ["webhook add --client", app.client.clientId, "--url", url];
  const added = await operator(stack.now, words);
  secrets.push(added.secret);
  await runOperator(stack.now, ["webhook", "test", added.id]);
  server.close();
  await app.call("/api/responses?limit=none", accessToken);
  await app.call("/api/responses", `${accessToken}x`);
  await app.refresh(`${refreshToken}x`);
  await send(`${stack.now.base_url}/api/strayed-${COLLECTOR_KEY}`);
  const names = [
    "POST /oauth/api/token",
    "webhook_test",
    "UPDATE oauth.webhooks",
    "invalid_parameter",
    "bad_signature",
  ];
  await expect.poll(() => names.filter((name) => !sent().includes(name))).toEqual([]);
  const last = await traceOf(await app.call("/api/connection", accessToken));
  await expect.poll(() => spansOf(last)).toBeGreaterThan(1);
  expect(exports.filter(({ headers }) => headers["x-key"] !== COLLECTOR_KEY)).toEqual([]);
  expect(secrets.filter((secret) => sent().includes(secret))).toEqual([]);
});
