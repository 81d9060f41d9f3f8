import { once } from "node:events";
import { request } from "node:http";
import { waitingSessions } from "@partner-connect/database/testing";
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

function pollToAbort() {
  const path = `/oauth/api/changes?wait=25&after=${cursor}`;
  const headers = { authorization: basic(client) };
  const poll = request(`${url}${path}`, { headers, agent: false }).on("error", () => {});
  return poll.end();
}

// biome-ignore lint/suspicious/noExplicitAny: what came over the wire; tests assert it exactly
async function bodyOf(answer: Response): Promise<any> {
  return await answer.json();
}

const waitingCalls = () => replicas.positions.count();

test("a long poll waits until a change occurs and returns that change", async () => {
  const waiting = call(20);
  await expect.poll(waitingCalls).toBe(1);
  await changeShop(replicas, shopId, "responses");
  const page = await bodyOf(await waiting);
  expect(page.data).toMatchObject([{ shop_id: shopId, kind: "responses", status: "connected" }]);
  cursor = page.cursor;
});

test("a long poll that the caller aborts is released", async () => {
  const gone = pollToAbort();
  await expect.poll(waitingCalls).toBe(1);
  gone.destroy();
  await expect.poll(waitingCalls).toBe(0);
});

test("regression: a long poll that was aborted before its wait began counted as waiting until its timeout", async () => {
  await replicas.sql.begin(async (tx) => {
    await tx`LOCK TABLE oauth.change_positions IN ACCESS EXCLUSIVE MODE`;
    const gone = pollToAbort();
    const [socket] = await once(replicas.app().server, "connection");
    await expect.poll(() => waitingSessions(replicas.sql)).toBeGreaterThan(0);
    gone.destroy();
    await once(socket, "close");
  });
  await call(0);
  expect(waitingCalls()).toBe(0);
});

test("if a client is disabled during a long poll, the poll gets 401", async () => {
  const disabled = await replicas.registerClient();
  const waiting = call(2, "", disabled);
  await expect.poll(waitingCalls).toBe(1);
  await replicas.sql`UPDATE directory.clients SET status = 'disabled' WHERE client_id = ${disabled.clientId}`;
  const answer = await waiting;
  expect([answer.status, (await bodyOf(answer)).error]).toEqual([401, "invalid_client"]);
});

test("a long poll without changes returns an empty page with the same cursor", async () => {
  const answer = await call(1);
  expect(answer.status).toBe(200);
  expect(await bodyOf(answer)).toEqual({ data: [], cursor, has_more: false });
});

test("a long poll is measured as a separate route", async () => {
  await call(1);
  const { registry } = replicas.metrics;
  const text = await registry.getSingleMetricAsString("http_request_duration_seconds");
  expect(text).toContain('route="/oauth/api/changes?wait"');
});
