import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { send } from "../../harness/actors/http.ts";
import { merchantBrowser } from "../../harness/actors/merchant-browser.ts";
import { type Onboarded, onboard } from "../../harness/actors/onboarding.ts";
import { operator, runOperator } from "../../harness/actors/operator.ts";
import { type Partner, partner, type Tokens } from "../../harness/actors/partner.ts";
import { type Collector, startCollector } from "../../harness/stack/collector.ts";
import type { CollectedSpan } from "../../harness/stack/otlp.ts";
import { until } from "../../harness/stack/processes.ts";
import { type OwnStack, startOwnStack } from "../../harness/stack/stacks.ts";

const COLLECTOR_KEY = randomBytes(16).toString("hex");
const SERVED = 2;
const CALLED = 3;
const FAILED = 2;

let collector: Collector;
let stack: OwnStack;
let onboarded: Onboarded;
let app: Partner;
let tokens: Tokens;
const secrets: string[] = [];

beforeAll(async () => {
  collector = await startCollector();
  stack = await startOwnStack({
    env: {
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_BSP_SCHEDULE_DELAY: "100",
      OTEL_EXPORTER_OTLP_HEADERS: `x-key=${COLLECTOR_KEY}`,
      AUTHORIZATION_SERVER_REPLICAS: "1",
      RESOURCE_SERVER_REPLICAS: "1",
      WORKER_REPLICAS: "1",
    },
  });
  onboarded = await onboard(stack.now);
  app = partner(stack.now, onboarded.client);
  const browser = merchantBrowser(onboarded.merchant);
  const obtained = await app.obtainCode(browser, onboarded.shop);
  const { access_token, refresh_token } = (await app.exchange(obtained)).json();
  tokens = { accessToken: access_token, refreshToken: refresh_token, scope: "responses:read" };
  secrets.push(onboarded.client.secret, onboarded.merchant.password, onboarded.merchant.email, obtained.code);
  secrets.push(obtained.codeVerifier, obtained.state, access_token, refresh_token, ...browser.cookies());
  // Else it could arrive later, and be taken for that of a test's own call.
  await until(() =>
    collector.spans.some(({ name, service }) => service === "authorization-server" && name === "POST /oauth/api/token"),
  );
});

afterAll(async () => {
  await stack?.stop();
  await collector?.close();
});

/** The trace of the last such request that arrived after the first `from` spans, once all of it has arrived. */
async function traceOf(service: string, name: string, from = 0): Promise<readonly CollectedSpan[]> {
  const found = () => collector.spans.slice(from).filter((span) => span.service === service && span.name === name);
  await expect.poll(found, { timeout: 10_000 }).not.toEqual([]);
  const traceId = found().at(-1)?.traceId;
  const spans = () => collector.spans.filter((span) => span.traceId === traceId);
  await expect.poll(() => spans().map((span) => span.parentId), { timeout: 10_000 }).toContain("");
  return spans();
}

const childrenOf = (span: CollectedSpan | undefined, spans: readonly CollectedSpan[]) =>
  spans.filter(({ parentId }) => parentId === span?.spanId);

test("an API call is one trace: resource server, Postgres and Redis", async () => {
  const from = collector.spans.length;
  expect((await app.call("/api/responses?limit=3", tokens.accessToken)).status).toBe(200);
  const spans = await traceOf("resource-server", "GET /api/responses", from);
  const served = spans.find(({ parentId }) => parentId === "");
  expect(served).toMatchObject({
    service: "resource-server",
    kind: SERVED,
    attributes: {
      "http.request.method": "GET",
      "http.route": "/api/responses",
      "http.response.status_code": 200,
      "partner_connect.client_id": onboarded.client.clientId,
      "partner_connect.shop_id": onboarded.shop.id,
    },
  });
  const calls = childrenOf(served, spans);
  expect(calls.map(({ name }) => name).toSorted()).toEqual([
    expect.stringMatching(/^EVALSHA$/),
    expect.stringMatching(/^SELECT .*survey\.responses/),
  ]);
  for (const { milliseconds } of calls) expect(milliseconds).toBeLessThanOrEqual(served?.milliseconds ?? 0);
});

test("a hint to a partner's endpoint is one trace: its statements and the call, without the URL", async () => {
  const endpoint = createServer((request, response) => request.resume().on("end", () => response.writeHead(500).end()));
  endpoint.listen(0, "127.0.0.1");
  await once(endpoint, "listening");
  const url = `http://localhost:${(endpoint.address() as AddressInfo).port}/hooks-${COLLECTOR_KEY}`;
  const { client } = onboarded;
  const added = await operator(stack.now, ["webhook", "add", "--client", client.clientId, "--url", url]);
  secrets.push(added.secret);
  await runOperator(stack.now, ["webhook", "test", added.id]);
  endpoint.close();
  const ofWorker = () => collector.spans.filter(({ service }) => service === "worker");
  await expect.poll(() => ofWorker().map(({ name }) => name), { timeout: 10_000 }).toContain("webhook_test");
  const hint = ofWorker().find(({ name }) => name === "webhook_test");
  expect(hint).toMatchObject({ parentId: "", attributes: { "partner_connect.job_id": expect.any(String) } });
  const calls = childrenOf(hint, ofWorker());
  expect(calls.map(({ name }) => name)).toEqual([
    "SELECT oauth.webhooks directory.clients",
    "POST",
    "UPDATE oauth.webhooks",
    "TRANSACTION",
  ]);
  expect(calls[1]).toMatchObject({ kind: CALLED, status: FAILED, attributes: { "error.type": "500" } });
});

test("a caller's own trace is not passed on", async () => {
  const theirs = randomBytes(16).toString("hex");
  const from = collector.spans.length;
  const headers = {
    authorization: `Bearer ${tokens.accessToken}`,
    traceparent: `00-${theirs}-${randomBytes(8).toString("hex")}-00`,
    tracestate: `theirs=${theirs}`,
  };
  expect((await send(`${stack.now.base_url}/api/questions`, { headers })).status).toBe(200);
  const spans = await traceOf("resource-server", "GET /api/questions", from);
  expect(JSON.stringify(spans)).not.toContain(theirs);
});

test("log records of a request have its trace id", async () => {
  const from = collector.spans.length;
  const { headers } = await app.call("/api/connection", tokens.accessToken);
  const [span] = await traceOf("resource-server", "GET /api/connection", from);
  const log = await readFile(join(stack.now.dataDir, "logs", "resource-server-1.log"), "utf8");
  const record = log.split("\n").find((line) => line.includes(String(headers["x-request-id"])));
  expect(JSON.parse(record ?? "{}")).toMatchObject({ trace_id: span?.traceId });
});

test("no secret, no query and nothing of a person is in a trace; the collector's key is its header alone", async () => {
  await app.call("/api/responses?limit=none", tokens.accessToken);
  await app.call("/api/responses", `${tokens.accessToken}x`);
  await app.refresh(`${tokens.refreshToken}x`);
  const refused = () => collector.spans.map(({ attributes }) => attributes["partner_connect.reason"]);
  await expect.poll(refused, { timeout: 10_000 }).toEqual(expect.arrayContaining([expect.stringMatching(/token/)]));
  await send(`${stack.now.base_url}/api/strayed-${COLLECTOR_KEY}`);
  const from = collector.spans.length;
  await app.call("/api/connection", tokens.accessToken);
  await traceOf("resource-server", "GET /api/connection", from);
  expect(collector.headers.every((headers) => headers["x-key"] === COLLECTOR_KEY)).toBe(true);
  const sent = Buffer.concat([...collector.bodies]).toString("latin1");
  expect(sent).toContain("POST /oauth/api/token");
  for (const secret of [...secrets, COLLECTOR_KEY, "limit=", "code_challenge"]) {
    expect(sent.includes(secret), secret.slice(0, 8)).toBe(false);
  }
});
