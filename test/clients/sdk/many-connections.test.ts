import { setTimeout as sleep } from "node:timers/promises";
import { MemoryStore, PartnerConnect, type StoredConnection } from "@partner-connect/partner-sdk";
import { SqliteStore } from "@partner-connect/partner-sdk/sqlite";
import { beforeAll, expect, test } from "vitest";
import { type ManyConnections, manyConnections } from "../../harness/actors/many-connections.ts";
import { operator } from "../../harness/actors/operator.ts";
import { mainStack } from "../../harness/stack/stacks.ts";

const COUNT = 500;
/** Spec, Limits: calls of the token endpoint. */
const A_MINUTE = 10;

const stack = mainStack();
let many: ManyConnections;

/** By how much the partner's clock is ahead of ours, in milliseconds. */
let ahead = 0;
const clock = { now: () => Date.now() + ahead, sleep: (ms: number) => sleep(ms) };

beforeAll(async () => {
  many = await manyConnections(stack, COUNT);
});

/** A partner's one process, and what it asked of the token endpoint. */
async function partnerProcess() {
  const calls: { readonly at: number; readonly status: number }[] = [];
  const store = new MemoryStore();
  for (const connection of many.connections) await store.put(connection);
  const partnerConnect = new PartnerConnect({
    baseUrl: stack.base_url,
    clientId: many.client.clientId,
    clientSecret: many.client.secret,
    store,
    clock,
    async fetch(input, init) {
      const at = clock.now();
      const answer = await fetch(input, init);
      if (String(input).includes("/oauth/api/token")) calls.push({ at, status: answer.status });
      return answer;
    },
  });
  return { partnerConnect, store, calls };
}

test("500 connections in one process, all read in the same moment of every quarter of an hour, stay live within 10 token calls a minute", async () => {
  const { partnerConnect, calls } = await partnerProcess();
  for (let quarter = 0; quarter < 8; quarter++) {
    const seen = await Promise.all(many.connections.map(({ id }) => partnerConnect.shop(id).connection()));
    expect(seen.map(({ shop }) => shop.id)).toEqual(many.connections.map(({ shop }) => shop.id));
    ahead += 15 * 60_000;
  }
  expect(calls.filter(({ status }) => status !== 200)).toEqual([]);
  const most = Math.max(
    ...calls.map(({ at }) => calls.filter((other) => at <= other.at && other.at < at + 60_000).length),
  );
  expect(most).toBeLessThanOrEqual(A_MINUTE);
  const listed = await operator(stack, ["connection", "list", "--client", many.client.clientId]);
  expect(new Set(listed.map(({ status }: { status: string }) => status))).toEqual(new Set(["connected"]));
});

test("500 refreshes take a few calls, and what is wrong with one token concerns its connection alone", async () => {
  const { partnerConnect, store, calls } = await partnerProcess();
  const [unknown, broken, revoked, ...others] = many.connections;
  if (!unknown || !broken || !revoked) throw new Error("too few connections");
  await store.put({ ...unknown, refreshToken: "pcr_junk" });
  await store.put({ ...broken, refreshToken: null as unknown as string });
  await operator(stack, ["connection", "revoke", revoked.id, "--yes"]);
  const outcome = (id: string) =>
    partnerConnect
      .shop(id)
      .connection()
      .then(
        () => "live",
        ({ code }) => code,
      );
  const outcomes = await Promise.all([unknown, broken, revoked, ...others].map(({ id }) => outcome(id)));
  expect(outcomes.slice(0, 3)).toEqual(["invalid_grant", "invalid_grant", "reconnect_required"]);
  expect(new Set(outcomes.slice(3))).toEqual(new Set(["live"]));
  expect(calls.length).toBeLessThanOrEqual(5);
});

test("the server's list has what the store has lost, and a connection that is disconnected ends at the server", async () => {
  const { connections, client } = await manyConnections(stack, 3);
  const { clientId, secret: clientSecret } = client;
  const own = new SqliteStore(":memory:");
  const partner = new PartnerConnect({ baseUrl: stack.base_url, clientId, clientSecret, store: own });
  const [first, second] = connections as [StoredConnection, StoredConnection];
  await own.put(first);
  expect((await partner.shop(first.id).connection()).id).toBe(first.id);
  await partner.disconnect(first.id);
  expect(await own.get(first.id)).toBeNull();
  await expect(partner.disconnect(first.id)).rejects.toMatchObject({ code: "unknown_connection" });

  const listed = [];
  for await (const { id, status } of partner.listConnections({ limit: 2 })) listed.push([id, status]);
  const expected = connections.map(({ id }) => [id, id === first.id ? "revoked" : "connected"]);
  expect(listed).toEqual(expected.toSorted(([one = ""], [other = ""]) => (one < other ? -1 : 1)));
  await own.put(first);
  await expect(partner.shop(first.id).connection()).rejects.toMatchObject({ code: "reconnect_required" });
  await own.put({ ...second, refreshToken: "pcr_junk" });
  await partner.disconnect(second.id);
});
