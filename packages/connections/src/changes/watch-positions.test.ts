import { connectDatabase, type Sql } from "@partner-connect/database";
import { expect, test } from "vitest";
import { appendChanges } from "./append-changes.ts";
import { suiteFeed } from "./testing/test-feed.ts";
import { watchPositions } from "./watch-positions.ts";

const feed = await suiteFeed();
const never = new AbortController().signal;
/** Milliseconds: longer than a test may take, so such a wait never ends by timeout. */
const LONG = 600_000;

async function change(clientId: string): Promise<void> {
  await appendChanges(feed.relay, [
    { clientId, connectionId: "con", shopId: "s", kind: "responses", at: new Date() },
  ]);
}

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

test("a long poll ends when its client's feed gets an entry, but not when another client's feed gets an entry", async () => {
  const [clientId, other] = [await feed.newClient(), await feed.newClient()];
  const watch = watchPositions(feed.server, { everyMs: 20 });
  await change(clientId);
  const waiting = watch.wait(clientId, 1, never, LONG);
  await change(other);
  // The query that wakes this call leaves the other waiting.
  await watch.wait(other, 0, never, LONG);
  expect(await Promise.race([waiting.then(() => "woken"), "waits"])).toBe("waits");
  await change(clientId);
  await waiting;
  // A client that had no entry, and one that has not read all entries.
  const first = await feed.newClient();
  const empty = watch.wait(first, 0, never, LONG);
  await change(first);
  await empty;
  await watch.wait(clientId, 1, never, LONG);
  watch.close();
});

test("a long poll ends when its time is over, its caller disconnects or the service shuts down", async () => {
  const clientId = await feed.newClient();
  const watch = watchPositions(feed.server);
  await watch.wait(clientId, 0, never, 100);
  const gone = new AbortController();
  const left = watch.wait(clientId, 0, gone.signal, LONG);
  gone.abort();
  await left;
  await watch.wait(clientId, 0, gone.signal, LONG);
  const waiting = Array.from({ length: 100 }, () => watch.wait(clientId, 0, never, LONG));
  watch.close();
  await Promise.all(waiting);
  await watch.wait(clientId, 0, never, LONG);
});

test("a client's 101st concurrent long poll ends the client's oldest long poll", async () => {
  const [clientId, other] = [await feed.newClient(), await feed.newClient()];
  const watch = watchPositions(feed.server);
  const ended: number[] = [];
  const wait = (number: number, of = clientId) =>
    void watch.wait(of, 0, never, LONG).then(() => void ended.push(number));
  wait(-1, other);
  for (let number = 0; number < 102; number++) wait(number);
  await Promise.resolve();
  expect([ended, watch.count()]).toEqual([[0, 1], 101]);
  watch.close();
});

test("all long polls of a service share one statement", async () => {
  const clients = await Promise.all(Array.from({ length: 20 }, () => feed.newClient()));
  const { sql, count } = counting(feed.server);
  const watch = watchPositions(sql, { everyMs: 20 });
  const gone = new AbortController();
  const waiting = clients.flatMap((id) =>
    Array.from({ length: 50 }, () => watch.wait(id, 0, gone.signal, LONG)),
  );
  await expect.poll(count).toBeGreaterThan(2);
  expect(count()).toBeLessThan(100);
  gone.abort();
  await Promise.all(waiting);
  watch.close();
});

test("a long poll outlasts an outage of Postgres and ends once a new entry can be read", async () => {
  const clientId = await feed.newClient();
  const nowhere = connectDatabase("postgres://nobody@127.0.0.1:1/none", {
    name: "test",
    connections: 1,
  });
  let [isAway, asked] = [true, 0];
  const sql = new Proxy(feed.server, {
    apply(target, self, args) {
      asked += 1;
      return Reflect.apply(isAway ? nowhere : target, self, args);
    },
  });
  const watch = watchPositions(sql, { everyMs: 20 });
  const waiting = watch.wait(clientId, 0, never, LONG);
  await change(clientId);
  await expect.poll(() => asked).toBeGreaterThan(2);
  expect(await Promise.race([waiting.then(() => "woken"), "waits"])).toBe("waits");
  isAway = false;
  await waiting;
  watch.close();
  await nowhere.end({ timeout: 0 });
});
