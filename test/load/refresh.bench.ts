import { manyConnections } from "../harness/actors/many-connections.ts";
import { basic } from "../harness/actors/partner.ts";
import { pidOf, withStack } from "./bench-stack.ts";
import {
  cpuMs,
  type Load,
  type LoadRequest,
  measure,
  residentMb,
  type Server,
  startPeer,
  WARM_UP_SECONDS,
} from "./measure.ts";
import { type FloorRow, floorTable, median, spread, table } from "./table.ts";

/** As few as one partner has, and as many as keep a replica busy. */
const CONNECTIONS = [8, 32] as const;
/** Tokens of a batch. */
const BATCH = 1000;
const OURS = "ours";
const STOCK = "stock oidc-provider";
const WITH_DUTIES = "node-oauth2-server, with our duties";
const BATCHES = "batches of 1,000";

/** A token endpoint, and the refreshes that it gets. */
interface Target extends Server {
  readonly requests: readonly LoadRequest[];
}

interface Credentials {
  readonly clientId: string;
  readonly secret: string;
  readonly refreshTokens: readonly string[];
}

/**
 * What a refresh costs here, and in peers that do the same work on the same Redis (append-only file, fsync always). The
 * rounds take turns.
 */
export async function benchRefresh({ quick }: { quick: boolean }): Promise<void> {
  const [rounds, seconds] = quick ? [3, 2] : [7, 5];
  await withStack(async (stack, _sql, dataDir) => {
    const { redis_url: REDIS_URL, database_url: DATABASE_URL, authorization_server_urls: urls } = stack.state;
    const stores = { postgres: pidOf(stack, "postgres"), redis: pidOf(stack, "redis") };
    const { client, connections } = await manyConnections({ ...stack.state, dataDir }, BATCH);
    const tokens = connections.map(({ refreshToken }) => refreshToken);
    const pids = { ...stores, node: pidOf(stack, "authorization-server-1") };
    const url = `${urls[0]}/oauth/api/token`;
    const batch = { refresh_tokens: tokens };
    const headers = { authorization: basic(client), "content-type": "application/json" };
    const batches: LoadRequest = {
      method: "POST",
      path: `${new URL(url).pathname}/batch`,
      headers,
      body: JSON.stringify(batch),
    };
    const targets: Record<string, Target> = {
      [OURS]: { url, pids, requests: refreshes({ url, ...client, refreshTokens: tokens.slice(0, 20) }) },
    };
    const peers: { stop(): void }[] = [];
    const start = async (name: string, script: string, env: Record<string, string>): Promise<void> => {
      const peer = await startPeer<Credentials & { readonly url: string }>(script, { REDIS_URL, ...env });
      peers.push(peer);
      targets[name] = { url: peer.url, pids: { ...stores, node: peer.pid }, requests: refreshes(peer) };
    };
    try {
      await start(STOCK, "stock-oidc-provider", {});
      const duties = { DATABASE_URL, SHOP_ID: connections[0]?.shop.id ?? "", CLIENT_ID: client.clientId };
      await start(WITH_DUTIES, "node-oauth2-server", duties);
      const results: Record<string, Load[]> = {};
      for (let round = 0; round <= rounds; round++) {
        const time = round === 0 ? WARM_UP_SECONDS / CONNECTIONS.length : seconds;
        const add = (name: string, load: Load) => {
          if (round > 0) results[name] = [...(results[name] ?? []), load];
        };
        const names = round % 2 === 0 ? Object.keys(targets) : Object.keys(targets).toReversed();
        for (const count of CONNECTIONS) {
          for (const name of names) {
            const target = targets[name] as Target;
            add(`${name}, ${count}`, await measure(target, target.requests, count, time));
          }
        }
        add(BATCHES, await measure({ url, pids }, [batches], 1, time));
      }
      const memory = await residentMb(pids.node);
      console.log(`\n${refreshReport(results, memory, `${rounds} interleaved rounds of ${seconds} s`)}\n`);
    } finally {
      for (const peer of peers) peer.stop();
    }
  });
}

function refreshReport(results: Readonly<Record<string, readonly Load[]>>, memory: number, rounds: string): string {
  const ratio = (one: string, other: string, pick: (load: Load) => number): readonly number[] =>
    (results[one] ?? []).map((load, round) => pick(load) / pick(results[other]?.[round] as Load));
  const serving = ({ nodeMs, postgresMs }: Load): number => nodeMs + postgresMs;
  const floors = CONNECTIONS.flatMap((count): FloorRow[] => [
    [`CPU, ours / ${STOCK}, ${count}`, ratio(`${OURS}, ${count}`, `${STOCK}, ${count}`, serving), "≤ 1", "0.6"],
    [
      `CPU, ours / ${WITH_DUTIES}, ${count}`,
      ratio(`${OURS}, ${count}`, `${WITH_DUTIES}, ${count}`, serving),
      "≤ 0.8",
      "0.5",
    ],
    [
      `CPU a token, batch / single refreshes, ${count}`,
      ratio(BATCHES, `${OURS}, ${count}`, cpuMs).map((value) => value / BATCH),
      ...(["≤ 0.5", "0.33"] as const),
    ],
  ]);
  const rows = Object.entries(results).map(([name, loads]) => {
    const tokens = name === BATCHES ? BATCH : 1;
    const column = (pick: (load: Load) => number, digits: number) => spread(loads.map(pick), digits);
    const parts = ["nodeMs", "postgresMs", "redisMs"] as const;
    const cpu = parts.map((part) => (median(loads.map((load) => load[part])) / tokens).toFixed(3)).join(" + ");
    return [name, column(({ perSecond }) => perSecond * tokens, 0), column(({ p99 }) => p99, 0), cpu];
  });
  return [
    `Refreshes on ${CONNECTIONS.join(" and ")} connections, ${rounds}; CPU of Node and Postgres; median (lowest to highest).`,
    floorTable([...floors, ["resident memory, MB", [memory], "≤ 240", "150", 0]]),
    table(["", "tokens/s", "p99 ms", "CPU ms a token: Node + Postgres + Redis"], rows),
  ].join("\n\n");
}

function refreshes({ url, refreshTokens, ...client }: Credentials & { readonly url: string }): readonly LoadRequest[] {
  const headers = {
    authorization: basic({ name: "", ...client }),
    "content-type": "application/x-www-form-urlencoded",
  };
  const path = new URL(url).pathname;
  return refreshTokens.map((refresh_token) => ({
    method: "POST",
    path,
    headers,
    body: new URLSearchParams({ grant_type: "refresh_token", refresh_token }).toString(),
  }));
}
