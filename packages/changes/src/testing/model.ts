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
  /** Milliseconds that a relay's process lives, at most. */
  readonly relayLife: number;
  /** What is done to the database meanwhile. It gets how many changes were committed. */
  readonly disturb?: (committed: () => number) => Promise<void>;
}

export interface ModelResult {
  readonly changes: number;
  readonly longTransactions: number;
  readonly entriesRead: number;
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
 * Writers change shops and connections in transactions of all lengths, relays are killed, four readers follow. At the end each reader has
 * to know the last state of everything that its client is connected with.
 */
export async function runModel(feed: TestFeed, options: ModelOptions): Promise<ModelResult> {
  const shops = await ModelShops.make(feed, options.shops);
  const [hot = "", ...small] = shops.clients;
  const readers = [hot, hot, ...small.slice(0, 2)].map((clientId) => new ModelReader(feed, clientId));
  const relays = startRelays(feed, options.relayLife);
  let committed = 0;
  let longTransactions = 0;
  const isWriting = () => committed < options.changes;

  async function write(): Promise<void> {
    while (isWriting()) {
      const isLong = Math.random() * LONG_ONES < 1;
      const length = isLong ? options.longest * Math.random() : 0;
      if (!(await survive(() => shops.change(length)))) continue;
      committed += 1;
      if (isLong) longTransactions += 1;
    }
  }
  async function follow(reader: ModelReader): Promise<void> {
    while (isWriting()) if ((await survive(() => reader.read())) !== "more") await pause(Math.random() * 40);
  }
  await Promise.all([
    ...Array.from({ length: options.writers }, write),
    ...readers.map(follow),
    options.disturb?.(() => committed),
  ]);
  await relays.finish();
  readers.push(...shops.clients.map((clientId) => new ModelReader(feed, clientId))); // who come for the first time
  for (const reader of readers) await reader.readToEnd();
  const missed = await Promise.all(readers.map((reader) => reader.missed(shops)));
  const sum = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0);
  return {
    changes: committed,
    longTransactions,
    entriesRead: sum(readers.map(({ entries }) => entries)),
    relaysKilled: relays.killed,
    expired: sum(readers.map(({ expired }) => expired)),
    missed: sum(missed),
    behind: sum(readers.map(({ behind }) => behind)),
  };
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
