import { setTimeout as pause } from "node:timers/promises";
import { connectDatabase, type Sql } from "@partner-connect/database";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { appendChanges } from "./append-changes.ts";
import { type TestFeed, testFeed } from "./testing/test-feed.ts";
import { watchPositions } from "./watch-positions.ts";

let feed: TestFeed;
const never = new AbortController().signal;
/** Seconds: of the ten that a call would wait if nothing ended it. */
const HALF = 5;

beforeAll(async () => {
  feed = await testFeed();
});
afterAll(() => feed?.close());

async function change(clientId: string): Promise<void> {
  await appendChanges(feed.relay, [{ clientId, connectionId: "con", shopId: "s", kind: "responses", at: new Date() }]);
}

/** A pool that counts its statements. */
function counting(sql: Sql): { sql: Sql; count: () => number } {
  let statements = 0;
  const counted = new Proxy(sql, {
    apply(target, self, args) {
      statements += 1;
      return Reflect.apply(target, self, args);
    },
  });
  return { sql: counted, count: () => statements };
}

async function seconds(work: Promise<void>): Promise<number> {
  const since = performance.now();
  await work;
  return (performance.now() - since) / 1000;
}

describe("a waiting call [feed.wait]", () => {
  test("ends soon after its client's feed has moved, and not when another's has", async () => {
    const [clientId, other] = [await feed.newClient(), await feed.newClient()];
    const watch = watchPositions(feed.server, { everyMs: 20 });
    await change(clientId);
    const waiting = watch.wait(clientId, 1, never, 10_000);
    await change(other);
    expect(await Promise.race([waiting.then(() => "woken"), pause(200, "waits")])).toBe("waits");
    await change(clientId);
    expect(await seconds(waiting)).toBeLessThan(HALF);
    // Of a client that had no entry, and one that has read less than there is.
    const first = await feed.newClient();
    const empty = watch.wait(first, 0, never, 10_000);
    await change(first);
    expect(await seconds(empty)).toBeLessThan(HALF);
    expect(await seconds(watch.wait(clientId, 1, never, 10_000))).toBeLessThan(HALF);
    watch.close();
  });

  test("ends after its time, when the caller has gone, and at once when the service ends", async () => {
    const clientId = await feed.newClient();
    const watch = watchPositions(feed.server);
    expect(await seconds(watch.wait(clientId, 0, never, 100))).toBeLessThan(HALF);
    const gone = new AbortController();
    setTimeout(() => gone.abort(), 50);
    expect(await seconds(watch.wait(clientId, 0, gone.signal, 10_000))).toBeLessThan(HALF);
    expect(await seconds(watch.wait(clientId, 0, gone.signal, 10_000))).toBeLessThan(HALF);
    const waiting = Array.from({ length: 100 }, () => watch.wait(clientId, 0, never, 10_000));
    setTimeout(() => watch.close(), 50);
    expect(await seconds(Promise.all(waiting).then(() => {}))).toBeLessThan(HALF);
    expect(await seconds(watch.wait(clientId, 0, never, 10_000))).toBeLessThan(HALF);
  });

  test("costs no statement of its own: one asks for all who wait, and none while nobody does", async () => {
    const clients = await Promise.all(Array.from({ length: 20 }, () => feed.newClient()));
    const { sql, count } = counting(feed.server);
    const watch = watchPositions(sql, { everyMs: 50 });
    await pause(200);
    expect(count()).toBe(0);
    const gone = new AbortController();
    const since = performance.now();
    const waiting = clients.flatMap((id) => Array.from({ length: 50 }, () => watch.wait(id, 0, gone.signal, 60_000)));
    await expect.poll(count).toBeGreaterThan(2);
    gone.abort();
    await Promise.all(waiting);
    // A timer may be a millisecond early.
    expect(count()).toBeLessThanOrEqual(2 + (performance.now() - since) / 49);
    await pause(200);
    const before = count();
    await pause(300);
    expect(count()).toBe(before);
    watch.close();
  });

  test("goes on while the store is away, and ends when it is back with news", async () => {
    const clientId = await feed.newClient();
    const nowhere = connectDatabase("postgres://nobody@127.0.0.1:1/none", { name: "test", connections: 1 });
    let isAway = true;
    const sql = new Proxy(feed.server, {
      apply: (target, self, args) => Reflect.apply(isAway ? nowhere : target, self, args),
    });
    const watch = watchPositions(sql, { everyMs: 20 });
    const waiting = watch.wait(clientId, 0, never, 10_000);
    await change(clientId);
    expect(await Promise.race([waiting.then(() => "woken"), pause(300, "waits")])).toBe("waits");
    isAway = false;
    expect(await seconds(waiting)).toBeLessThan(HALF);
    watch.close();
    await nowhere.end({ timeout: 0 });
  });
});
