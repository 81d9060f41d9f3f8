import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startLocalStack } from "@partner-connect/local-stack";
import { connectShops } from "./connect-shops.ts";
import { residentBytes } from "./cpu.ts";
import { type PeerProcess, type RefreshTarget, startPeer } from "./peer-process.ts";
import { needPrograms } from "./program.ts";
import { CONNECTIONS, latencies, load, type Round, refreshOnce } from "./refresh-load.ts";
import { roundTrips } from "./round-trips.ts";
import { median, spread, table } from "./table.ts";

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
  const peers: (PeerProcess & RefreshTarget)[] = [];
  try {
    const { clientId, secret, refreshTokens, approveOne } = await connectShops({ ...stack.state, dataDir }, 20);
    const start = async (script: string, name: string, env: Record<string, string> = {}): Promise<void> => {
      const peer = await startPeer<RefreshTarget>(script, { REDIS_URL: redisUrl, ...env });
      peers.push({ ...peer, name });
    };
    const duties = { DATABASE_URL: databaseUrl, SHOP_ID: shopOf(refreshTokens[0] as string), CLIENT_ID: clientId };
    await start("stock-oidc-provider", "stock oidc-provider");
    await start("node-oauth2-server", "node-oauth2-server, Redis alone");
    await start("node-oauth2-server", "node-oauth2-server, with our duties", duties);
    const pid = processes.find(({ name }) => name === "authorization-server-1")?.pid as number;
    const url = urls[0] as string;
    const ours: RefreshTarget = { name: "ours", pid, url: `${url}/oauth/api/token`, clientId, secret, refreshTokens };
    const targets = [ours, ...peers];

    const results = new Map<string, Round[]>(targets.map(({ name }) => [name, []]));
    for (const target of targets) await load(target, 2); // warm
    for (let round = 0; round < rounds; round++) {
      for (const target of targets) results.get(target.name)?.push(await load(target, seconds));
    }
    const mine = results.get("ours") ?? [];
    const ratio = (name: string) => mine.map(({ cpuMs }, i) => cpuMs / (results.get(name)?.[i]?.cpuMs ?? Number.NaN));

    console.log(`\nRefresh grant, wrk on ${CONNECTIONS} connections, ${rounds} interleaved rounds of ${seconds} s\n`);
    console.log(
      table(
        ["", "CPU ms a refresh", "refreshes/s", "p50 ms", "p99 ms", "our CPU / theirs"],
        targets.map(({ name }) => {
          const all = results.get(name) ?? [];
          const column = (pick: (round: Round) => number, digits?: number) => spread(all.map(pick), digits);
          return [
            name,
            column((round) => round.cpuMs, 3),
            column((round) => round.perSecond, 0),
            median(all.map((round) => round.p50)).toFixed(1),
            median(all.map((round) => round.p99)).toFixed(1),
            name === "ours" ? "1" : spread(ratio(name)),
          ];
        }),
      ),
    );
    console.log(
      `\nFloor 0.8, aim 0.35. Resident memory of ours: ${((await residentBytes(pid)) / 2 ** 20).toFixed(0)} MB\n`,
    );
    console.log(
      table(
        ["round trips, counted by the stores", "Redis, the rate limit's count included", "Postgres"],
        [
          [
            "refresh",
            ...(await roundTrips(
              stack.state,
              Array(1000).fill(() => refreshOnce(ours)),
            )),
          ],
          ["code exchange", ...(await roundTrips(stack.state, await times(100, approveOne)))],
        ],
      ),
    );
    console.log(`\n${await latencies(url, ours)}`);
  } finally {
    for (const peer of peers) peer.stop();
    await stack.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function times<T>(count: number, make: () => Promise<T>): Promise<T[]> {
  const made: T[] = [];
  while (made.length < count) made.push(await make());
  return made;
}

/** Our refresh tokens name their shop. */
function shopOf(refreshToken: string): string {
  return refreshToken.slice(refreshToken.indexOf("shop_"));
}
