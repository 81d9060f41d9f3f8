import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startLocalStack } from "@partner-connect/local-stack";
import { connectShops } from "./connect-shops.ts";
import { residentBytes } from "./cpu.ts";
import { type PeerProcess, type RefreshTarget, startPeer } from "./peer-process.ts";
import { needPrograms } from "./program.ts";
import { Batches, connectBatch } from "./refresh/batches.ts";
import { load } from "./refresh-load.ts";
import type { Served } from "./served.ts";
import { type FloorRow, floorTable, median, spread, table } from "./table.ts";

/** As few as one partner has, and as many as keep a replica busy. */
const CONNECTIONS = [8, 32];
const OURS = "ours";
const STOCK = "stock oidc-provider";
const WITH_DUTIES = "node-oauth2-server, with our duties";
const FLOORS = { [STOCK]: ["≤ 0.6", "0.35"], [WITH_DUTIES]: ["≤ 0.6", "0.35"] } as const;

/**
 * What a refresh costs here, and in peers that do the same work on the same Redis (append-only file, fsync always). The
 * rounds take turns. The operating system says how much CPU the serving process has used.
 */
export async function benchRefresh({ quick }: { quick: boolean }): Promise<void> {
  const rounds = quick ? 3 : 7;
  const seconds = quick ? 2 : 5;
  await needPrograms(["wrk"], (line) => console.error(line));
  const dataDir = await mkdtemp(join(tmpdir(), "partner-connect-bench-"));
  const stack = await startLocalStack({
    dataDir,
    env: {
      AUTHORIZATION_SERVER_REPLICAS: "1",
      RESOURCE_SERVER_REPLICAS: "1",
      AUTHORIZE_RATE_LIMIT: "100000000",
      TOKEN_RATE_LIMIT: "100000000",
      LOG_LEVEL: "warn",
    },
  });
  const { redis_url: redisUrl, database_url: databaseUrl, authorization_server_urls: urls, processes } = stack.state;
  const pid = (wanted: string) => processes.find(({ name }) => name === wanted)?.pid as number;
  const stores = { postgres: pid("postgres"), redis: pid("redis") };
  const peers: PeerProcess[] = [];
  try {
    const { clientId, secret, refreshTokens } = await connectShops({ ...stack.state, dataDir }, 20);
    const pids = { node: pid("authorization-server-1"), ...stores };
    const ours: RefreshTarget = {
      name: OURS,
      pids,
      url: `${urls[0]}/oauth/api/token`,
      clientId,
      secret,
      refreshTokens,
    };
    const targets = [ours];
    const start = async (script: string, name: string, env: Record<string, string> = {}): Promise<void> => {
      const peer = await startPeer<Omit<RefreshTarget, "pids">>(script, { REDIS_URL: redisUrl, ...env });
      peers.push(peer);
      targets.push({ ...peer, name, pids: { node: peer.pid, ...stores } });
    };
    const duties = { DATABASE_URL: databaseUrl, SHOP_ID: shopOf(refreshTokens[0] as string), CLIENT_ID: clientId };
    await start("stock-oidc-provider", STOCK);
    await start("node-oauth2-server", WITH_DUTIES, duties);

    const results = new Map<string, Served[]>();
    const of = (name: string, connections: number) => results.get(`${name} ${connections}`) ?? [];
    for (let round = 0; round <= rounds; round++) {
      for (const connections of CONNECTIONS) {
        for (const target of round % 2 === 0 ? targets : targets.toReversed()) {
          const one = await load(target, connections, round === 0 ? 1 : seconds);
          if (round > 0) results.set(`${target.name} ${connections}`, [...of(target.name, connections), one]);
        }
      }
    }
    console.log(
      `\nRefresh grant, wrk on ${CONNECTIONS.join(" and ")} connections, ${rounds} interleaved rounds of ${seconds} s\n`,
    );
    const ratio = (connections: number, name: string) =>
      of(OURS, connections).map(({ nodeMs }, i) => nodeMs / (of(name, connections)[i]?.nodeMs ?? Number.NaN));
    const floors = CONNECTIONS.flatMap((connections) =>
      Object.entries(FLOORS).map(([name, [floor, aim]]): FloorRow => {
        return [`CPU, ours / ${name}, ${connections}`, ratio(connections, name), floor, aim];
      }),
    );
    const resident = (await residentBytes(pids.node)) / 2 ** 20;
    console.log(floorTable([...floors, ["resident memory, MB", [resident], "≤ 240", "130", 0]]));
    const rows = CONNECTIONS.flatMap((connections) =>
      targets.map(({ name }) => {
        const all = of(name, connections);
        const column = (pick: (one: Served) => number, digits: number) => spread(all.map(pick), digits);
        return [
          ...[name, String(connections), column(({ perSecond }) => perSecond, 0)],
          ...[({ p50 }: Served) => p50, ({ p99 }: Served) => p99].map((pick) => median(all.map(pick)).toFixed(1)),
          ...[
            column(({ nodeMs }) => nodeMs, 3),
            column(({ postgresMs }) => postgresMs, 3),
            column(({ redisMs }) => redisMs, 3),
          ],
        ];
      }),
    );
    console.log(
      `\n${table(["", "connections", "refreshes/s", "p50 ms", "p99 ms", "CPU ms a refresh", "Postgres", "Redis"], rows)}\n`,
    );
    const batches = new Batches(ours, await connectBatch(databaseUrl, clientId));
    console.log(`${await batches.report(rounds, quick ? 1 : seconds)}\n`);
  } finally {
    for (const peer of peers) peer.stop();
    await stack.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

/** Our refresh tokens name their shop. */
function shopOf(refreshToken: string): string {
  return refreshToken.slice(refreshToken.indexOf("shop_"));
}
