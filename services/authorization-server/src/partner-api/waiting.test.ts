import { request } from "node:http";
import { afterEach, expect, test } from "vitest";
import { changeShop, connectShop } from "../testing/partner-calls.ts";
import { suiteReplicas } from "../testing/replicas.ts";
import { basic } from "../testing/token-calls.ts";

const replicas = await suiteReplicas(1);
const url = await replicas.app().listen({ port: 0, host: "127.0.0.1" });
const client = await replicas.registerClient();
const { shopId } = await connectShop(replicas, client);
await replicas.relay();
let cursor: string = (await bodyOf(await call(0, ""))).cursor;
afterEach(() => expect.poll(waitingCalls).toBe(0));

function call(wait: number, after = cursor, as = client): Promise<Response> {
  const query = new URLSearchParams({ wait: String(wait), ...(after && { after }) });
  return fetch(`${url}/oauth/api/changes?${query}`, {
    headers: { authorization: basic(as) },
  });
}

// biome-ignore lint/suspicious/noExplicitAny: what came over the wire; tests assert it exactly
async function bodyOf(answer: Response): Promise<any> {
  return await answer.json();
}

const waitingCalls = () => replicas.positions.count();

const change = () => changeShop(replicas, shopId, "responses");

test("a long poll waits until there is a change, and returns it", async () => {
  const waiting = call(20);
  await expect.poll(waitingCalls).toBe(1);
  await change();
  const page = await bodyOf(await waiting);
  expect(page.data).toMatchObject([{ shop_id: shopId, kind: "responses", status: "connected" }]);
  cursor = page.cursor;
});

test("a long poll that the caller aborts is released", async () => {
  const path = `/oauth/api/changes?wait=25&after=${cursor}`;
  const gone = request(`${url}${path}`, { headers: { authorization: basic(client) } }).end();
  gone.on("error", () => {});
  await expect.poll(waitingCalls).toBe(1);
  gone.destroy();
  await expect.poll(waitingCalls).toBe(0);
});

test("a long poll gets 401 if its client is disabled while it waits", async () => {
  const disabled = await replicas.registerClient();
  const waiting = call(2, "", disabled);
  await expect.poll(waitingCalls).toBe(1);
  await replicas.sql`UPDATE directory.clients SET status = 'disabled' WHERE client_id = ${disabled.clientId}`;
  const answer = await waiting;
  expect([answer.status, (await bodyOf(answer)).error]).toEqual([401, "invalid_client"]);
});

test("a long poll without changes returns an empty page with the same cursor, and is measured as a separate route", async () => {
  const answer = await call(1);
  expect([answer.status, await answer.json()]).toEqual([
    200,
    { data: [], cursor, has_more: false },
  ]);
  const text = await replicas.metrics.registry.getSingleMetricAsString(
    "http_request_duration_seconds",
  );
  expect(text).toContain('route="/oauth/api/changes?wait"');
});
