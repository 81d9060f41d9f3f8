import { setTimeout as sleep } from "node:timers/promises";
import type { Sql } from "@partner-connect/database";
import type { LocalStackState } from "@partner-connect/local-stack";
import { keepChanging } from "./changes.ts";
import type { FeedClient } from "./connected-clients.ts";
import { FeedReader } from "./feed-reader.ts";
import { type CpuShares, cpuWhile } from "./used-cpu.ts";

/** Of the small clients together; the others are the hot client's. */
const SMALL_PER_SECOND = 100;
const PER_SECOND = 1000;
/** Clients that catch up at a time. */
const AT_ONCE = 50;
/** Each round has addresses of its own, so that no minute of an address has the calls of two. */
let addresses = 8;

export interface HotClientWorld {
  readonly state: LocalStackState;
  readonly sql: Sql;
  readonly hot: FeedClient;
  readonly small: readonly FeedClient[];
  /** Where each client's feed was last read to, by its id. */
  readonly cursors: Map<string, string>;
}

export interface Delays {
  /** Milliseconds from the commit until the entry was read. */
  readonly p50: number;
  readonly p99: number;
}

export interface HotClientRound {
  readonly hot: Delays | null;
  readonly small: Delays;
  readonly cpu: CpuShares;
  readonly perSecond: number;
  /** Calls of the feed a second by the hot client. */
  readonly hotCalls: number;
  /** Changes that were not read within two seconds of the last one. */
  readonly missing: number;
}

/** All clients wait at their feeds. The small ones have their changes; the hot one has the others, or none. */
export async function hotClientRound(
  world: HotClientWorld,
  withHot: boolean,
  seconds: number,
): Promise<HotClientRound> {
  const { state, sql, hot, small } = world;
  const readers = await caughtUp(world, [hot, ...small]);
  const [hotReader] = readers as [FeedReader];
  const readAt = new Map<string, number>();
  for (const reader of readers) {
    reader.follow(({ shop_id, kind }) => {
      if (kind === "responses") readAt.set(shop_id, performance.now());
    });
  }
  await sleep(500);
  const before = hotReader.calls;
  const changes = [
    keepChanging(sql, shuffled(small.flatMap(({ shopIds }) => shopIds)), SMALL_PER_SECOND),
    ...(withHot ? [keepChanging(sql, shuffled(hot.shopIds), PER_SECOND - SMALL_PER_SECOND)] : []),
  ];
  const rates: number[] = [];
  const cpu = await cpuWhile(state.processes, async () => {
    await sleep(seconds * 1000);
    for (const one of changes) rates.push(await one.stop());
  });
  const hotCalls = (hotReader.calls - before) / seconds;
  await sleep(2000);
  await Promise.all(readers.map((reader) => reader.stop()));
  const [ofSmall, ofHot] = changes.map(({ committedAt }) => delaysOf(committedAt, readAt));
  const all = [ofSmall, ofHot].filter((one) => one !== undefined);
  return {
    hot: ofHot ? percentiles(ofHot.delays) : null,
    small: percentiles(ofSmall?.delays ?? []),
    cpu,
    perSecond: rates.reduce((sum, rate) => sum + rate, 0),
    hotCalls,
    missing: all.reduce((sum, { missing }) => sum + missing, 0),
  };
}

/** A reader for each client, each at an address of its own, at the end of its feed. */
export async function caughtUp(
  { state, cursors }: HotClientWorld,
  clients: readonly FeedClient[],
): Promise<FeedReader[]> {
  const url = state.authorization_server_urls[0] as string;
  addresses++;
  const readers = clients.map((client, index) => {
    const address = `127.${addresses}.${Math.floor(index / 250)}.${(index % 250) + 1}`;
    return new FeedReader({ url, client, address, cursor: cursors.get(client.clientId) ?? null });
  });
  for (let next = 0; next < readers.length; next += AT_ONCE) {
    await Promise.all(readers.slice(next, next + AT_ONCE).map((reader) => reader.catchUp()));
  }
  readers.forEach(({ cursor }, index) => void (cursor && cursors.set(clients[index]?.clientId ?? "", cursor)));
  return readers;
}

function delaysOf(committedAt: ReadonlyMap<string, number>, readAt: ReadonlyMap<string, number>) {
  const found = [...committedAt].map(([shopId, at]) => [at, readAt.get(shopId)] as const);
  const delays = found.flatMap(([at, read]) => (read === undefined ? [] : [Math.max(0, read - at)]));
  return { delays, missing: found.length - delays.length };
}

function percentiles(delays: readonly number[]): Delays {
  const sorted = delays.toSorted((a, b) => a - b);
  const at = (share: number): number => sorted[Math.floor(share * sorted.length)] ?? Number.NaN;
  return { p50: at(0.5), p99: at(0.99) };
}

function shuffled<T>(values: readonly T[]): T[] {
  return values
    .map((value) => [Math.random(), value] as const)
    .toSorted(([a], [b]) => a - b)
    .map(([, value]) => value);
}
