import { setTimeout as sleep } from "node:timers/promises";
import type { Sql } from "@partner-connect/database";
import { type FollowState, MemoryStore, PartnerConnect, type SyncState } from "@partner-connect/partner-sdk";
import { importResponses } from "@partner-connect/survey-data";
import type { ManyConnections } from "../../harness/actors/many-connections.ts";
import type { CallKind, CountedCalls } from "./counted-calls.ts";

type Calls = Readonly<Record<CallKind, number>>;

export interface Followed {
  /** Seconds until all shops were copied. */
  readonly firstCopy: number;
  readonly callsOfFirstCopy: Calls;
  /** By a process that has just been started, and so holds no access token. */
  readonly withoutTokens: ActiveShops;
  /** The same shops once more. */
  readonly withTokens: ActiveShops;
}

interface ActiveShops {
  readonly calls: Calls;
  /** Seconds from a commit until the copy had it. */
  readonly delays: readonly number[];
}

export interface FollowedOptions {
  readonly baseUrl: string;
  /** Of the process that makes the first copy, and of the next one: in a minute of its own. */
  readonly networks: readonly [CountedCalls, CountedCalls];
  readonly sql: Sql;
  /** Each of the shops that are active has something new once in this time. */
  readonly seconds: number;
  readonly active: number;
}

/** The SDK's `follow`: the first copy, and then while some shops have something new, one after the other. */
export async function followed(options: FollowedOptions, made: ManyConnections): Promise<Followed> {
  const [network, nextNetwork] = options.networks;
  const copies = new Copies();
  const began = performance.now();
  const first = await startFollowing(options.baseUrl, network, made, copies);
  await first.until(() => copies.states.size === made.connections.length);
  const firstCopy = (performance.now() - began) / 1000;
  const callsOfFirstCopy = { ...network.counts };
  // So that nothing is left for the next process: with the next answer of the feed, that is within 25 s.
  await first.until(() => copies.state?.pending.length === 0);
  await first.stop();
  const second = await startFollowing(options.baseUrl, nextNetwork, made, copies);
  const withoutTokens = await activeShops(options, made, copies, second);
  const withTokens = await activeShops(options, made, copies, second);
  await second.stop();
  return { firstCopy, callsOfFirstCopy, withoutTokens, withTokens };
}

/** In memory. */
class Copies {
  state: FollowState | null = null;
  readonly states = new Map<string, SyncState>();
  /** When the copy of a connection had a response, by both ids. */
  readonly appliedAt = new Map<string, number>();
}

interface Following {
  until(isDone: () => boolean): Promise<void>;
  stop(): Promise<void>;
}

async function startFollowing(
  baseUrl: string,
  { fetch }: CountedCalls,
  { client, connections }: ManyConnections,
  copies: Copies,
): Promise<Following> {
  const store = new MemoryStore();
  for (const connection of connections) await store.put(connection);
  const known = { clientId: client.clientId, clientSecret: client.secret };
  const partnerConnect = new PartnerConnect({ baseUrl, ...known, store, fetch });
  const ending = new AbortController();
  const following = partnerConnect.follow({
    readState: () => copies.state,
    keepState(state) {
      copies.state = state;
    },
    readCopyState: (id) => copies.states.get(id) ?? null,
    apply({ documents, state }, { connectionId }) {
      copies.states.set(connectionId, state);
      for (const { id } of documents) copies.appliedAt.set(`${connectionId} ${id}`, performance.now());
    },
    trouble(error) {
      throw error;
    },
    signal: ending.signal,
  });
  let failure: unknown;
  following.catch((error) => {
    failure = error;
  });
  return {
    async until(isDone) {
      for (; !isDone(); await sleep(20)) if (failure !== undefined) throw failure;
    },
    async stop() {
      ending.abort();
      await following;
    },
  };
}

let imports = 0;

async function activeShops(
  { networks: [, calls], sql, seconds, active }: FollowedOptions,
  { connections }: ManyConnections,
  copies: Copies,
  following: Following,
): Promise<ActiveShops> {
  await sleep(2000);
  const [since, before] = [performance.now(), { ...calls.counts }];
  const delays: number[] = [];
  const seen: Promise<void>[] = [];
  for (let index = 0; index < active; index++) {
    await sleep(Math.max(0, since + (index * seconds * 1000) / active - performance.now()));
    const connection = connections[(index * 37) % connections.length];
    if (!connection) throw new Error("no connections");
    const id = `new ${imports++}`;
    const lines = [`${JSON.stringify({ id, question: "Who?", response: "TV" })}\n`];
    await importResponses(sql, { shopId: connection.shop.id, lines }, { name: "operator:bench" });
    const committed = performance.now();
    const key = `${connection.id} ${id}`;
    const delay = () => ((copies.appliedAt.get(key) ?? Number.NaN) - committed) / 1000;
    seen.push(following.until(() => copies.appliedAt.has(key)).then(() => void delays.push(delay())));
  }
  await sleep(Math.max(0, since + seconds * 1000 - performance.now()));
  const after = { ...calls.counts };
  await Promise.all(seen);
  const kinds = Object.keys(after) as CallKind[];
  const spent = Object.fromEntries(kinds.map((kind) => [kind, after[kind] - before[kind]])) as Record<CallKind, number>;
  return { calls: spent, delays };
}
