import { setTimeout as sleep } from "node:timers/promises";
import type { Clock, FollowState, StoredConnection } from "@partner-connect/partner-sdk";
import { expect, test } from "vitest";
import { operator } from "../../harness/actors/operator.ts";
import { generateResponses } from "../../harness/actors/survey.ts";
import { mainStack } from "../../harness/stack/stacks.ts";
import { Follower, IMPATIENT } from "./follow-world.ts";
import { suiteKeeper, withoutTimes } from "./sync-world.ts";

const stack = mainStack();
const keeper = suiteKeeper(stack);

const rethrow = (error: unknown): never => {
  throw error;
};

async function add({ shop }: StoredConnection, ...ids: string[]): Promise<void> {
  const [known] = generateResponses(1, shop.id);
  const records = ids.map((id) => withoutTimes({ ...known, id }));
  await keeper.importInto(shop.id, ...records);
}

/** Makes a state as after a restore: the shop never had the response, the feed is another one. */
async function restoreWithout(id: string, { shop }: StoredConnection, { client }: Follower) {
  await keeper.sql.begin(async (restored) => {
    await restored`SET LOCAL session_replication_role = replica`;
    await restored`DELETE FROM survey.responses WHERE shop_id = ${shop.id} AND id = ${id}`;
    await restored`
      UPDATE oauth.change_positions SET epoch = 'aaaaaaaaaaaa', past = '{}' WHERE client_id = ${client.clientId}`;
  });
}

/** Dates the last use of the connection's refresh token so many days back. */
async function lastUsed({ shop }: StoredConnection, days: number): Promise<void> {
  await keeper.sql`
    UPDATE oauth.connections SET last_used_at = now() - make_interval(days => ${days}) WHERE shop_id = ${shop.id}`;
}

test("follow copies each connected shop and then its changes, and reports ended connections", async () => {
  const follower = await Follower.with(1);
  const [a] = follower.connections as [StoredConnection];
  await add(a, "a1", "a2");
  await follower.until(() => follower.has(a, "a1", "a2"));
  await add(a, "a3");
  const [b, c] = (await follower.connect(2)) as [StoredConnection, StoredConnection];
  await add(b, "b1");
  await operator(stack, ["connection", "revoke", c.id, "--yes"]);
  const sent: string[] = [];
  const partner = follower.process((_, init) => sent.push(String(init?.body)));
  const isTold = () => follower.told.includes(`${c.id} revoked`);
  await follower.until(
    () => follower.has(a, "a1", "a2", "a3") && follower.has(b, "b1") && isTold(),
    { partner },
  );
  expect(new Set(follower.told)).toEqual(
    new Set([`${a.id} connected`, `${b.id} connected`, `${c.id} revoked`]),
  );
  expect(follower.troubles).toEqual([]);
  expect(sent.join()).toContain(b.refreshToken);
  expect(sent.join()).not.toContain(c.refreshToken);
});

test("follow saves the cursor and the pending shops before it reads those shops", async () => {
  const follower = await Follower.with(1);
  const [a] = follower.connections as [StoredConnection];
  await add(a, "a1");
  await follower.until(() => follower.has(a, "a1") && follower.state !== null);
  const before = { ...(follower.state as FollowState), pending: [] };
  follower.state = before;
  await add(a, "a2");
  const gone = follower.until(() => false, {
    apply: () => rethrow(new Error("it is gone")),
    onError: rethrow,
  });
  await expect(gone).rejects.toThrow("it is gone");
  expect(follower.state?.cursor).not.toBe(before.cursor);
  expect(follower.state?.pending).toMatchObject([
    { connection_id: a.id, shop_id: a.shop.id, status: "connected" },
  ]);
  expect(follower.state?.pending[0]?.kinds).toContain("responses");
  expect(follower.has(a, "a1")).toBe(true);
  await follower.until(() => follower.has(a, "a1", "a2"));
});

test("a shop whose copy fails delays no other shop, and stays pending, even across a restart, until it is copied", async () => {
  const follower = await Follower.with(2);
  const [bad, good] = follower.connections as [StoredConnection, StoredConnection];
  await Promise.all([add(bad, "x1"), add(good, "g1")]);
  const { apply } = follower.options();
  const failing: Parameters<Follower["until"]>[1] = {
    concurrency: 1,
    apply: (batch, copy) =>
      copy.connectionId === bad.id ? rethrow(new Error("no")) : apply(batch, copy),
  };
  await follower.until(() => follower.has(good, "g1") && follower.state !== null, failing);
  await add(good, "g2");
  await follower.until(
    () => follower.has(good, "g1", "g2") && follower.troubles.length > 0,
    failing,
  );
  expect(follower.troubles).toContainEqual([bad.id, "Error"]);
  expect(follower.pending()).toContain(bad.id);
  expect(follower.has(bad)).toBe(true);
  await follower.until(() => follower.has(bad, "x1"));
});

test("a connection that the feed lists before its tokens are stored is copied without an error", async () => {
  const follower = await Follower.with(1);
  const [late] = follower.connections as [StoredConnection];
  await follower.store.delete(late.id);
  await add(late, "n1");
  const following = follower.until(() => follower.has(late, "n1"));
  await expect.poll(() => follower.state, { timeout: 10_000 }).not.toBeNull();
  expect(follower.has(late)).toBe(true);
  await follower.store.put(late);
  await following;
  expect(follower.troubles).toEqual([]);
});

test("regression: a connection that the store lacks was reported at each retry, instead of once", async () => {
  const follower = await Follower.with(1);
  const [foreign] = follower.connections as [StoredConnection];
  await follower.store.delete(foreign.id);
  await add(foreign, "n1");
  let reads = 0;
  const partner = follower.process(undefined, IMPATIENT);
  const get = follower.store.get.bind(follower.store);
  follower.store.get = (id) => get(id).finally(() => reads++);
  const following = follower.until(() => follower.has(foreign, "n1"), { partner });
  await expect.poll(() => reads, { timeout: 20_000 }).toBeGreaterThan(20);
  expect(follower.troubles).toEqual([[foreign.id, "UnknownConnection"]]);
  expect(follower.told).toEqual([`${foreign.id} connected`]);
  await follower.store.put(foreign);
  await following;
  expect(follower.troubles).toHaveLength(1);
});

test("a connection whose token is refused stays pending while the feed lists the connection, and is reported once otherwise", async () => {
  const follower = await Follower.with(2);
  const [replaced, other] = follower.connections as [StoredConnection, StoredConnection];
  const [dead] = (await Follower.with(1)).connections as [StoredConnection];
  await follower.store.put(dead);
  await follower.store.put({ ...replaced, refreshToken: "pcr_older" });
  await add(replaced, "r1");
  const troublesOf = ({ id }: StoredConnection) => follower.troubles.filter(([of]) => of === id);
  const partner = follower.process(undefined, IMPATIENT);
  // A state saved before the report would report it again.
  const isTold = () => troublesOf(dead).length > 0 && !follower.pending().includes(dead.id);
  await follower.until(
    () => troublesOf(replaced).length > 1 && follower.state !== null && isTold(),
    { partner },
  );
  await add(other, "o1");
  await follower.until(() => follower.has(other, "o1") && !follower.pending().includes(dead.id), {
    partner,
  });
  expect(follower.pending()).toContain(replaced.id);
  expect(troublesOf(dead)).toEqual([[dead.id, "InvalidGrant"]]);
  await follower.store.put(replaced);
  await follower.until(() => follower.has(replaced, "r1"), { partner });
});

test("follow continues a copy when the connection's hold ends, even if calls were refused during the hold", async () => {
  const follower = await Follower.with(1);
  const [held] = follower.connections as [StoredConnection];
  const partner = follower.process();
  const following = follower.until(() => follower.has(held, "after", "before"), { partner });
  await add(held, "before");
  // Reads of a connection that only the store has are correctly reported as refused.
  const isRead = () =>
    follower.has(held, "before") && follower.state !== null && follower.pending().length === 0;
  await expect.poll(isRead, { timeout: 10_000 }).toBe(true);
  await operator(stack, ["connection", "disable", held.id, "--yes"]);
  await expect.poll(() => follower.told, { timeout: 10_000 }).toContain(`${held.id} disabled`);
  await expect(partner.shop(held.id).connection()).rejects.toMatchObject({
    code: "on_hold",
  });
  await operator(stack, ["connection", "enable", held.id]);
  await add(held, "after");
  await following;
  expect((await partner.shop(held.id).connection()).id).toBe(held.id);
  expect(follower.troubles).toEqual([]);
});

test("after a restore of the server, follow copies only the affected shop again", async () => {
  const follower = await Follower.with(2);
  const [a, b] = follower.connections as [StoredConnection, StoredConnection];
  await add(a, "a1");
  await add(b, "b1");
  await add(b, "b2");
  await follower.until(
    () => follower.has(a, "a1") && follower.has(b, "b1", "b2") && follower.state !== null,
  );
  await restoreWithout("b2", b, follower);
  await add(b, "other");
  await follower.until(() => follower.has(b, "b1", "other"));
  expect(follower.has(a, "a1")).toBe(true);
  expect([follower.copies.get(a.id)?.resets, follower.copies.get(b.id)?.resets]).toEqual([1, 2]);
  expect(follower.troubles).toEqual([]);
});

test("aborting the signal ends follow immediately, even while no server responds", async () => {
  const follower = await Follower.with(1);
  const stop = new AbortController();
  let asked = 0;
  const fails = () => {
    asked += 1;
    throw new TypeError("fetch failed");
  };
  // After the second call `follow` waits for an hour, unless the signal ends that.
  const wait: Clock["sleep"] = async (_, signal) =>
    await sleep(asked > 1 ? 3_600_000 : 1, undefined, signal && { signal });
  const partner = follower.process(fails, { now: Date.now, sleep: wait });
  const following = partner.follow({ ...follower.options(), signal: stop.signal });
  await expect.poll(() => asked).toBeGreaterThan(1);
  stop.abort();
  await following;
});

test("even without feed entries, follow refreshes tokens that expire within two weeks and reports expired connections", async () => {
  const follower = await Follower.with(3);
  const isDone = () =>
    follower.copies.size === 3 && follower.state !== null && follower.pending().length === 0;
  await follower.until(isDone);
  const [quiet, fresh, gone] = follower.connections as [
    StoredConnection,
    StoredConnection,
    StoredConnection,
  ];
  await lastUsed(quiet, 20);
  await lastUsed(fresh, 10);
  await lastUsed(gone, 31);
  const daysLeft = async (id: string) => {
    const listed = await Array.fromAsync(follower.process().listConnections());
    const end = listed.find((connection) => connection.id === id)?.expires_at ?? "";
    return Math.round((Date.parse(end) - Date.now()) / 86_400_000);
  };
  const isTold = () => follower.told.includes(`${gone.id} expired`);
  await follower.until(async () => isTold() && (await daysLeft(quiet.id)) === 30);
  expect(await daysLeft(fresh.id)).toBe(20);
});
