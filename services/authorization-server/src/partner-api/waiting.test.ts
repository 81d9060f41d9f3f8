import { request } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeAll, expect, test } from "vitest";
import { changeShop, connectShop } from "../testing/partner-calls.ts";
import { type RegisteredClient, suiteReplicas } from "../testing/replicas.ts";
import { basic } from "../testing/token-calls.ts";

const replicas = await suiteReplicas(1);
let port: number;
let client: RegisteredClient;
let shopId: string;
let cursor: string;

beforeAll(async () => {
  const app = replicas.apps[0] ?? expect.fail("no replica");
  await app.listen({ port: 0, host: "127.0.0.1" });
  port = (app.server.address() as AddressInfo).port;
  client = await replicas.registerClient();
  ({ shopId } = await connectShop(replicas, client));
  await replicas.relay();
  cursor = (await bodyOf(await call(0))).cursor;
});
afterEach(() => expect.poll(waitingCalls).toBe(0));

function call(wait: number, after = cursor, as = client): Promise<Response> {
  const query = new URLSearchParams({ wait: String(wait), ...(after && { after }) });
  return fetch(`http://127.0.0.1:${port}/oauth/api/changes?${query}`, {
    headers: { authorization: basic(as) },
  });
}

// biome-ignore lint/suspicious/noExplicitAny: what came over the wire; tests assert it exactly
const bodyOf = async (answer: Response): Promise<any> => await answer.json();

const waitingCalls = () => replicas.positions.count();

const change = () => changeShop(replicas, shopId, "responses");

test("a call waits until there is something, and is then answered with it", async () => {
  const waiting = call(20);
  await expect.poll(waitingCalls).toBe(1);
  await change();
  const page = await bodyOf(await waiting);
  expect(page.data).toMatchObject([{ shop_id: shopId, kind: "responses", status: "connected" }]);
  // Earlier changes are returned immediately.
  expect(await bodyOf(await call(20))).toEqual(page);
  cursor = page.cursor;
});

test("an aborted call is released", async () => {
  const path = `/oauth/api/changes?wait=25&after=${cursor}`;
  const gone = request({ host: "127.0.0.1", port, path, headers: { authorization: basic(client) } }).end();
  gone.on("error", () => {});
  await expect.poll(waitingCalls).toBe(1);
  gone.destroy();
  await expect.poll(waitingCalls).toBe(0);
});

test("a client that is disabled while its call waits gets 401", async () => {
  const disabled = await replicas.registerClient();
  const waiting = call(2, "", disabled);
  await expect.poll(waitingCalls).toBe(1);
  await replicas.sql`UPDATE directory.clients SET status = 'disabled' WHERE client_id = ${disabled.clientId}`;
  const answer = await waiting;
  expect([answer.status, (await bodyOf(answer)).error]).toEqual([401, "invalid_client"]);
});

test("a call for which nothing comes is answered with nothing and the same cursor, and measured apart from what takes us time", async () => {
  const answer = await call(1);
  expect([answer.status, await answer.json()]).toEqual([200, { data: [], cursor, has_more: false }]);
  const text = await replicas.metrics.registry.getSingleMetricAsString("http_request_duration_seconds");
  expect(text).toContain('route="/oauth/api/changes?wait"');
});

test("a service that ends answers its waiting calls at once, as they stand", async () => {
  const waiting = [call(25), call(25)];
  await expect.poll(waitingCalls).toBe(2);
  replicas.positions.close();
  for (const answer of await Promise.all(waiting)) {
    expect([answer.status, await answer.json()]).toEqual([200, { data: [], cursor, has_more: false }]);
  }
  expect((await call(25)).status).toBe(200);
});
