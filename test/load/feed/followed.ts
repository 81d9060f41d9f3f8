import { setTimeout as sleep } from "node:timers/promises";
import type { Sql } from "@partner-connect/database";
import { type FollowState, MemoryStore, PartnerConnect, type SyncState } from "@partner-connect/partner-sdk";
import { importResponses } from "@partner-connect/survey-data";
import type { PartnerClient } from "../../harness/actors/onboarding.ts";
import type { ConnectedShop } from "../connect-shops.ts";
import type { CallKind, CountedCalls } from "./counted-calls.ts";

type Calls = Readonly<Record<CallKind, number>>;

export interface Followed {
  /** Seconds until all shops were copied. */
  readonly firstCopy: number;
  readonly callsOfFirstCopy: Calls;
  /** By a process that has just been started, and so holds no access token. */
  readonly withoutTokens: ActiveShops | null;
  /** By the same process, once more. */
  readonly withTokens: ActiveShops;
  /** How often something failed that was tried again. */
  readonly troubles: number;
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
  /** No second process: the one that made the first copy goes on. */
  readonly isWarmOnly: boolean;
  readonly report: (line: string) => void;
}

/** The SDK's `follow`: the first copy, and then while some shops have something new, one after the other. */
export async function followed(
  options: FollowedOptions,
  client: PartnerClient,
  shops: readonly ConnectedShop[],
): Promise<Followed> {
  const [network, nextNetwork] = options.networks;
  const copies = new Copies();
  const began = performance.now();
  let following = await startFollowing(options, network, client, shops, copies);
  await following.until("a copy of all shops", () => copies.states.size === shops.length);
  const firstCopy = (performance.now() - began) / 1000;
  const callsOfFirstCopy = { ...network.counts };
  let withoutTokens: ActiveShops | null = null;
  if (!options.isWarmOnly) {
    // So that nothing is left for the next process: with the next answer of the feed, that is within 25 s.
    await following.until("nothing left", () => copies.state?.pending.length === 0);
    await following.stop();
    options.report("following by a process that holds no tokens");
    following = await startFollowing(options, nextNetwork, client, shops, copies);
    withoutTokens = await activeShops(options, nextNetwork, shops, copies, following);
  }
  options.report("following by a process that holds tokens");
  const calls = options.isWarmOnly ? network : nextNetwork;
  const withTokens = await activeShops(options, calls, shops, copies, following);
  await following.stop();
  return { firstCopy, callsOfFirstCopy, withoutTokens, withTokens, troubles: copies.troubles };
}

/** In memory. */
class Copies {
  state: FollowState | null = null;
  readonly states = new Map<string, SyncState>();
  /** When the copy of a connection had a response, by both ids. */
  readonly appliedAt = new Map<string, number>();
  troubles = 0;
}

/** The longest that anything may take, also on a busy machine. */
const PATIENCE_MS = 300_000;

interface Following {
  /** @throws after five minutes */
  until(what: string, isDone: () => boolean): Promise<void>;
  stop(): Promise<void>;
}

async function startFollowing(
  { baseUrl, report }: FollowedOptions,
  { fetch }: CountedCalls,
  { clientId, secret }: PartnerClient,
  shops: readonly ConnectedShop[],
  copies: Copies,
): Promise<Following> {
  const store = new MemoryStore();
  for (const { connectionId, shopId, refreshToken } of shops) {
    const shop = { id: shopId, name: "Bench", domain: null, plan: "standard" };
    await store.put({
      id: connectionId,
      shop,
      scope: "responses:read",
      refreshToken,
      connectedAt: new Date().toISOString(),
    });
  }
  const partnerConnect = new PartnerConnect({ baseUrl, clientId, clientSecret: secret, store, fetch });
  const ending = new AbortController();
  const following = partnerConnect.follow({
    readState: () => copies.state,
    keepState(state) {
      copies.state = state;
    },
    readCopyState: (id) => copies.states.get(id) ?? null,
    apply({ responses, state }, { connectionId }) {
      copies.states.set(connectionId, state);
      for (const { id } of responses) copies.appliedAt.set(`${connectionId} ${id}`, performance.now());
    },
    trouble(error, connectionId) {
      copies.troubles++;
      report(`${connectionId ?? "the feed"}: ${error}`);
    },
    signal: ending.signal,
  });
  let failure: unknown;
  following.catch((error) => {
    failure = error;
  });
  return {
    async until(what, isDone) {
      for (const began = performance.now(); !isDone(); await sleep(20)) {
        if (failure !== undefined) throw failure;
        if (performance.now() - began > PATIENCE_MS) throw new Error(`not within ${PATIENCE_MS / 1000} s: ${what}`);
      }
    },
    async stop() {
      ending.abort();
      await following;
    },
  };
}

let imports = 0;

async function activeShops(
  { sql, seconds, active }: FollowedOptions,
  calls: CountedCalls,
  shops: readonly ConnectedShop[],
  copies: Copies,
  following: Following,
): Promise<ActiveShops> {
  await sleep(2000);
  const [since, before] = [performance.now(), { ...calls.counts }];
  const delays: number[] = [];
  const seen: Promise<void>[] = [];
  for (let index = 0; index < active; index++) {
    await sleep(Math.max(0, since + (index * seconds * 1000) / active - performance.now()));
    const connection = shops[(index * 37) % shops.length];
    if (!connection) throw new Error("no connections");
    const id = `new ${imports++}`;
    const lines = [`${JSON.stringify({ id, question: "Who?", response: "TV" })}\n`];
    await importResponses(sql, { shopId: connection.shopId, lines }, { name: "operator:bench" });
    const committed = performance.now();
    const key = `${connection.connectionId} ${id}`;
    const delay = () => ((copies.appliedAt.get(key) ?? Number.NaN) - committed) / 1000;
    seen.push(
      following.until(`a copy of ${key}`, () => copies.appliedAt.has(key)).then(() => void delays.push(delay())),
    );
  }
  await sleep(Math.max(0, since + seconds * 1000 - performance.now()));
  const after = { ...calls.counts };
  await Promise.all(seen);
  const kinds = Object.keys(after) as CallKind[];
  const spent = Object.fromEntries(kinds.map((kind) => [kind, after[kind] - before[kind]])) as Record<CallKind, number>;
  return { calls: spent, delays };
}
