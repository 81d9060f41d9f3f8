import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import { isDatabaseFault, transaction } from "@partner-connect/database";
import { expect, test, vi } from "vitest";
import { formatCursor, parseCursor } from "./cursor.ts";
import { readChanges } from "./read-changes.ts";
import { suiteFeed } from "./testing/test-feed.ts";
import { watchPositions } from "./watch-positions.ts";

const isNightly = process.env["TEST_NIGHTLY"] !== undefined;
const SIZE = isNightly
  ? { changes: 100_000, shops: 200, phases: 25 }
  : { changes: 3000, shops: 60, phases: 12 };
const WRITERS = 16;
/** One change in this many is in a transaction that stays open during up to this many others. */
const LONG_ONES = 400;
/** Maximum lifetime of a relay's process after its first round, in milliseconds. */
const RELAY_LIFE = 800;
const DATA_KINDS = ["responses", "deletions", "questions"] as const;

const feed = await suiteFeed();
const watch = watchPositions(feed.server, { everyMs: 20 });
const never = new AbortController().signal;
const pick = <T>(all: readonly T[]): T => all[Math.floor(Math.random() * all.length)] as T;

/** A client with every shop, and others with a few. `survey.sources` has each shop's true state. */
async function makeShops() {
  const shops = await Promise.all(Array.from({ length: SIZE.shops }, () => feed.newShop()));
  const clients = await Promise.all(Array.from({ length: 6 }, () => feed.newClient()));
  for (const [index, clientId] of clients.entries()) {
    const own = index === 0 ? shops : shops.slice(index * 7, (index + 1) * 7);
    await Promise.all(own.map((shopId) => feed.connect(shopId, clientId)));
  }
  for (const shopId of shops) {
    await feed.owner`
      INSERT INTO survey.sources (shop_id, id, name, type)
      SELECT ${shopId}, kind, '', 'other' FROM unnest(${[...DATA_KINDS]}::text[]) AS kind`;
  }
  return { shops, clients };
}

/** One change of a shop in one transaction, which ends after `before`. */
async function change(shopId: string, before: () => Promise<unknown>): Promise<void> {
  const kind = pick([...DATA_KINDS, ...DATA_KINDS, "connection"] as const);
  await transaction(feed.owner, async (tx) => {
    await tx`SET LOCAL lock_timeout = '50ms'`;
    if (kind === "connection") {
      const [row] = await tx<{ id: string; status: string }[]>`
        SELECT id, status FROM oauth.connections WHERE shop_id = ${shopId} ORDER BY md5(id || ${randomUUID()}) LIMIT 1`;
      const wasRevoked = row?.status === "revoked";
      await tx`
        UPDATE oauth.connections SET generation = generation + 1, status = ${wasRevoked ? "connected" : pick(["revoked", "connected"])},
          exchanged_at = ${wasRevoked ? new Date().toISOString() : tx`exchanged_at`}
        WHERE shop_id = ${shopId} AND id = ${row?.id ?? ""} AND status = ${row?.status ?? ""}`;
    } else {
      await tx`
        INSERT INTO survey.stamps (shop_id, stamp) VALUES (${shopId}, '-infinity')
        ON CONFLICT (shop_id) DO UPDATE SET stamp = excluded.stamp WHERE false`;
      const [row] = await tx<{ at: Date }[]>`
        SELECT greatest(stamp, date_trunc('milliseconds', clock_timestamp())) + interval '1 millisecond' AS at
        FROM survey.stamps WHERE shop_id = ${shopId}`;
      // A manual statement doesn't record the kinds of its changes.
      const changes = Math.random() < 0.1 ? null : [kind];
      await tx`UPDATE survey.stamps SET stamp = ${row?.at ?? null}, changes = ${changes} WHERE shop_id = ${shopId}`;
      await tx`UPDATE survey.sources SET name = ${randomUUID()} WHERE shop_id = ${shopId} AND id = ${kind}`;
    }
    await before();
  });
}

/** The true state of a client's connections with these shops, by `connection kind`. */
async function statesOf(clientId: string, shops: readonly string[]): Promise<Map<string, string>> {
  const rows = await feed.owner<{ key: string; state: string }[]>`
    SELECT id || ' connection' AS key, status || ' ' || generation AS state FROM oauth.connections
    WHERE shop_id = ANY (${shops}::text[]) AND client_id = ${clientId}
    UNION ALL SELECT c.id || ' ' || s.id, s.name FROM oauth.connections c JOIN survey.sources s ON s.shop_id = c.shop_id
    WHERE c.shop_id = ANY (${shops}::text[]) AND c.client_id = ${clientId} AND c.status <> 'revoked'`;
  return new Map(rows.map(({ key, state }) => [key, state]));
}

/** A partner who reads a page, then the states that its entries name, then stores the cursor. */
function follower(clientId: string, shops: readonly string[]) {
  const seen = new Map<string, string>();
  const numbers = new Set<number>();
  /** Numbers of entries that appeared after the reader had passed their number. */
  const behind: number[] = [];
  let cursor: string | null = null;
  const passed = () => (cursor === null ? null : parseCursor(cursor, clientId));

  /** Reads one page. Returns true if there is more. */
  async function read(): Promise<boolean> {
    const after = passed();
    const page = await readChanges(
      feed.server,
      clientId,
      after,
      1 + Math.floor(Math.random() * 300),
    );
    if (page === null) throw new Error("the cursor has expired");
    const states = await statesOf(clientId, [
      ...new Set(page.changes.flatMap(({ shopId }) => shopId ?? [])),
    ]);
    for (const { connectionId, kind, number } of page.changes) {
      if (number <= (after?.number ?? 0)) behind.push(number);
      seen.set(`${connectionId} ${kind}`, states.get(`${connectionId} ${kind}`) ?? "revoked");
      numbers.add(number);
    }
    cursor = formatCursor(page.cursor, clientId);
    return page.hasMore;
  }
  return {
    entries: () => numbers.size,
    read,
    /** Waits until something is new, for 40 ms at most. */
    wait: () => watch.wait(clientId, passed()?.number ?? 0, never, 40),
    /** Reads the rest. Returns missed states, late entries, and entries skipped by the cursor. */
    async wrong() {
      while (await read());
      const last = passed()?.number ?? 0;
      const rows = await feed.server<{ number: number }[]>`
        SELECT number::float8 AS number FROM oauth.changes WHERE client_id = ${clientId} AND number <= ${last}`;
      const missed = [...(await statesOf(clientId, shops))].filter(
        ([key, state]) => seen.get(key) !== state,
      );
      return [...missed, ...behind, ...rows.filter(({ number }) => !numbers.has(number))];
    },
  };
}

/** A program that relays without pause, despite errors, and prints a dot after each round. */
const RELAY = `
  const [{ connectDatabase }, { noteRelay }] = await Promise.all([import("@partner-connect/database"), import(process.argv[1])]);
  const sql = connectDatabase(process.argv[2], { name: "relay", connections: 2 });
  const round = noteRelay(sql, 1 + Math.floor(Math.random() * 1000));
  for (;;) {
    const done = await round().catch(() => null);
    process.stdout.write(".");
    if (!done?.notes) await new Promise((resolve) => setTimeout(resolve, 20));
  }`;

/** Runs a process that relays until it is killed at a random moment after its first round. */
async function killedRelay(): Promise<void> {
  const module = new URL("relay-notes.ts", import.meta.url).href;
  const args = ["--input-type=module", "--eval", RELAY, module, feed.workerUrl];
  const child = spawn(process.execPath, args, {
    cwd: import.meta.dirname,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const exited = once(child, "exit");
  await Promise.race([once(child.stdout, "data"), exited]);
  child.stdout.resume();
  await Promise.race([pause(Math.random() * RELAY_LIFE), exited]);
  child.kill("SIGKILL");
  await exited;
}

/** Repeats the work while a lock of others, or of a killed relay, makes the database refuse it. */
async function persist<T>(work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isDatabaseFault(error) && (error as { code?: string }).code !== "55P03") throw error;
    }
  }
}

test("despite long transactions and killed relays, readers of the feed miss no entry", {
  timeout: 900_000,
}, async () => {
  const { shops, clients } = await makeShops();
  const [hot = ""] = clients;
  const followers = [hot, ...clients.slice(0, 3)].map((clientId) => follower(clientId, shops));
  const entries = () => followers.reduce((sum, one) => sum + one.entries(), 0);
  let [begun, committed, long, followed, goal, isOver] = [0, 0, 0, 0, 0, false];
  const relay = async () => {
    while (!isOver) await killedRelay();
  };
  const relays = Promise.all([relay(), relay()]);
  const write = async () => {
    while (committed < goal) {
      const isLong = begun++ % LONG_ONES === LONG_ONES / 2;
      const end = isLong ? committed + Math.random() * LONG_ONES : 0;
      const ends = () =>
        vi.waitUntil(() => committed >= Math.min(end, goal - WRITERS), {
          interval: 5,
          timeout: 120_000,
        });
      await persist(() => change(pick(shops), ends));
      committed += 1;
      if (isLong) long += 1;
    }
  };
  const follow = async ({ read, wait }: ReturnType<typeof follower>) => {
    while (committed < goal) if (!(await persist(read))) await wait();
  };
  for (let phase = 1; phase <= SIZE.phases; phase++) {
    goal = (phase * SIZE.changes) / SIZE.phases;
    const before = entries();
    await Promise.all([...Array.from({ length: WRITERS }, write), ...followers.map(follow)]);
    followed += entries() - before;
    // The relays' processes keep running.
    await persist(() => feed.relayAll());
    for (const { wrong } of followers) expect(await persist(wrong)).toEqual([]);
  }
  isOver = true;
  await relays;
  await persist(() => feed.relayAll());
  for (const clientId of clients) expect(await follower(clientId, shops).wrong()).toEqual([]);
  expect(Math.min(long, followed)).toBeGreaterThan(0);
  watch.close();
});
