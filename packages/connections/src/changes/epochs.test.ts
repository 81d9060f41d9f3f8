import {
  createDatabase,
  dropDatabase,
  inDatabase,
  nodesOf,
  withDatabase,
} from "@partner-connect/database/testing";
import { suiteDatabase } from "@partner-connect/database/testing/suite";
import { afterAll, expect, test } from "vitest";
import { appendChanges } from "./append-changes.ts";
import type { ChangesCursor } from "./cursor.ts";
import { readChanges } from "./read-changes.ts";
import { openFeed, type TestFeed } from "./testing/test-feed.ts";

/** For the feed, a copied database is a restored backup: the same rows under another epoch. */
const nodes = nodesOf(process.env["TEST_DATABASE_URL"] ?? "");

const database = await suiteDatabase();
let origin = openFeed(database);
const clientId = await origin.newClient();
const copies: TestFeed[] = [];

afterAll(async () => {
  for (const copy of copies) {
    await copy.close();
    await dropDatabase(nodes, nameOf(copy));
  }
  await origin.close();
});

const nameOf = ({ url }: TestFeed): string => new URL(url).pathname.slice(1);

/** The state of the database at this moment, as a backup has it. */
async function backup(of: TestFeed): Promise<TestFeed> {
  const name = `${nameOf(of)}_${copies.length + 1}`;
  await of.close();
  for (const node of [nodes.first, ...nodes.workers]) {
    await withDatabase(
      node,
      (sql) =>
        sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = ${nameOf(of)}`,
    );
  }
  await createDatabase(nodes, name, nameOf(of));
  if (of === origin) origin = openFeed(of);
  const to = (url: string) => inDatabase(url, name);
  const [url, workerUrl, authorizationServerUrl] = [
    to(of.url),
    to(of.workerUrl),
    to(of.authorizationServerUrl),
  ];
  const copy = openFeed({ url, workerUrl, authorizationServerUrl });
  copies.push(copy);
  return copy;
}

/** Adds `count` entries. Returns the cursor after them. */
async function grow(feed: TestFeed, count: number): Promise<ChangesCursor> {
  const change = { clientId, shopId: "shop_x", kind: "responses", at: new Date() } as const;
  const ids = Array.from({ length: count }, () => `con_${Math.random()}`);
  await appendChanges(
    feed.relay,
    ids.map((connectionId) => ({ ...change, connectionId })),
  );
  return await cursorAfter(feed, null, 1000);
}

async function cursorAfter(feed: TestFeed, after: ChangesCursor | null, limit: number) {
  const page = await readChanges(feed.server, clientId, after, limit);
  if (!page) throw new Error("the cursor has expired");
  return page.cursor;
}

const numbers = async (feed: TestFeed, after: ChangesCursor) =>
  (await readChanges(feed.server, clientId, after, 1000))?.changes.map(({ number }) => number) ??
  "expired";

test("a cursor expires only in a database that lacks entries which the cursor has passed", async () => {
  const all = await grow(origin, 10);
  const some = await cursorAfter(origin, null, 4);
  const restored = await backup(origin);
  const seenMore = await grow(origin, 5);
  const half = await cursorAfter(origin, all, 2);

  // Before the restored database assigns numbers.
  expect(await numbers(restored, seenMore)).toBe("expired");
  expect(await numbers(restored, half)).toBe("expired");
  expect(await numbers(restored, all)).toEqual([]);
  expect(await numbers(restored, some)).toEqual([5, 6, 7, 8, 9, 10]);

  // Afterwards, when it has assigned the lost numbers again, and more.
  const since = await grow(restored, 1);
  expect(await numbers(restored, all)).toEqual([11]);
  await grow(restored, 19);
  for (const lost of [seenMore, half]) expect(await numbers(restored, lost)).toBe("expired");
  expect(await numbers(restored, all)).toHaveLength(20);
  expect(await numbers(restored, since)).toHaveLength(19);
  expect(await numbers(restored, { number: 0, epoch: "" })).toHaveLength(30);
  // A cursor in the middle of a page belongs to the epoch that gave its number.
  const inFirst = await cursorAfter(restored, null, 7);
  const inSecond = await cursorAfter(restored, null, 12);
  expect([inFirst.epoch, inSecond.epoch]).toEqual([all.epoch, since.epoch]);

  // A restore of the restored database, with cursors of each history.
  const again = await backup(restored);
  await grow(again, 3);
  for (const good of [all, some, since, inFirst, inSecond])
    expect(await numbers(again, good)).not.toBe("expired");
  for (const lost of [seenMore, half]) expect(await numbers(again, lost)).toBe("expired");
  // The original database is not affected.
  for (const good of [all, some, seenMore, half])
    expect(await numbers(origin, good)).not.toBe("expired");
  expect(await numbers(origin, since)).toBe("expired");
});

test("an empty feed accepts only a cursor with the number 0", async () => {
  const unknown = await origin.newClient();
  const empty = { changes: [], cursor: { number: 0, epoch: "" }, hasMore: false };
  expect(await readChanges(origin.server, unknown, null, 10)).toEqual(empty);
  expect(await readChanges(origin.server, unknown, { number: 0, epoch: "" }, 10)).toEqual(empty);
  expect(
    await readChanges(origin.server, unknown, { number: 1, epoch: "0".repeat(12) }, 10),
  ).toBeNull();
});
