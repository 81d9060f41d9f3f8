import { setTimeout as pause } from "node:timers/promises";
import { isDatabaseFault } from "@partner-connect/database";
import { ModelReader } from "./model-reader.ts";
import { ModelShops } from "./model-shops.ts";
import { startRelays } from "./relay-processes.ts";
import type { TestFeed } from "./test-feed.ts";

export interface ModelOptions {
  /** Committed changes after which the writers end. */
  readonly changes: number;
  readonly shops: number;
  readonly writers: number;
  /** Milliseconds that the longest transactions take. */
  readonly longest: number;
  /** Milliseconds that a relay's process lives after its first round, at most. */
  readonly relayLife: number;
  /** After each the writers stop, and each reader has to know everything as soon as no note is left. */
  readonly phases: number;
}

export interface ModelResult {
  readonly changes: number;
  readonly longTransactions: number;
  readonly entriesRead: number;
  /** Of these, the ones that were read while others wrote. */
  readonly entriesFollowed: number;
  readonly relaysKilled: number;
  /** Cursors that the feed refused. */
  readonly expired: number;
  /** Of a connection and kind: the reader does not know the last state, and the feed tells it nothing more. */
  readonly missed: number;
  /** Entries with a number that a reader had passed when they appeared. */
  readonly behind: number;
}

/** One of this many changes is made in a long transaction. */
const LONG_ONES = 400;

/**
 * Writers change shops and connections in transactions of all lengths, relays are killed, four readers follow. After each phase each reader
 * has to know the last state of everything that its client is connected with.
 */
export async function runModel(feed: TestFeed, options: ModelOptions): Promise<ModelResult> {
  const shops = await ModelShops.make(feed, options.shops);
  const [hot = "", ...small] = shops.clients;
  const readers = [hot, hot, ...small.slice(0, 2)].map((clientId) => new ModelReader(feed, clientId));
  const relays = startRelays(feed, options.relayLife);
  let begun = 0;
  let committed = 0;
  let longTransactions = 0;
  let entriesFollowed = 0;
  let missed = 0;
  let goal = 0;
  const isWriting = () => committed < goal;

  async function write(): Promise<void> {
    while (isWriting()) {
      const isLong = begun++ % LONG_ONES === LONG_ONES / 2;
      const length = isLong ? options.longest * Math.random() : 0;
      if (!(await survive(() => shops.change(length)))) continue;
      committed += 1;
      if (isLong) longTransactions += 1;
    }
  }
  async function follow(reader: ModelReader): Promise<void> {
    while (isWriting()) if ((await survive(() => reader.read())) !== "more") await pause(Math.random() * 40);
  }
  /** The relays' processes go on meanwhile. */
  async function check(): Promise<void> {
    await persist(() => feed.relayAll());
    for (const reader of readers) await persist(() => reader.readToEnd());
    for (const reader of readers) missed += await persist(() => reader.missed(shops));
  }
  const length = options.changes / options.phases;
  for (let phase = 0; phase < options.phases; phase++) {
    goal = (phase + 1) * length;
    const before = sumOf(readers, "entries");
    await Promise.all([...Array.from({ length: options.writers }, write), ...readers.map(follow)]);
    entriesFollowed += sumOf(readers, "entries") - before;
    await check();
  }
  await relays.end();
  readers.push(...shops.clients.map((clientId) => new ModelReader(feed, clientId))); // who come for the first time
  await check();
  return {
    changes: committed,
    longTransactions,
    entriesRead: sumOf(readers, "entries"),
    entriesFollowed,
    relaysKilled: relays.killed,
    expired: sumOf(readers, "expired"),
    missed,
    behind: sumOf(readers, "behind"),
  };
}

function sumOf(readers: readonly ModelReader[], count: "entries" | "expired" | "behind"): number {
  return readers.reduce((sum, reader) => sum + reader[count], 0);
}

/** As the worker does with a round that failed: a relay of another process may meet this one, and a killed node may still hold locks. */
async function persist<T>(work: () => Promise<T>): Promise<T> {
  for (;;) {
    const done = await survive(async () => ({ value: await work() }));
    if (done !== null) return done.value;
  }
}

/** Null while the database is away. Then it is tried again after a moment. */
async function survive<T>(work: () => Promise<T>): Promise<T | null> {
  try {
    return await work();
  } catch (error) {
    if (!isDatabaseFault(error)) throw error;
    await pause(50);
    return null;
  }
}
