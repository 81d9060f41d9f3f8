import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { BenchStack } from "../list/bench-stack.ts";
import { OTHER_SHOPS } from "../list/data-set.ts";
import { startNaivePeer } from "../list/naive-peer.ts";
import { type PgbenchScript, pgbench, serviceUrl } from "../list/pgbench.ts";
import { type Served, type Server, serve } from "../served.ts";
import { connectCallers, tokensOf } from "./callers.ts";
import { encryptStores } from "./encrypted-stores.ts";
import { startReplica } from "./replica-process.ts";
import { KINDS, type Kind, type MixRequest, mixOf, SHARES, shopRequests } from "./requests.ts";

export const WAYS = ["plain", "TLS"] as const;
export type Way = (typeof WAYS)[number];
/** As few sockets as one partner has, and as many as load a replica. */
export const SOCKETS = [8, 64] as const;
export const OURS = "ours";
export const NAIVE = "naive";

/** What one round measured, by the names of {@link mixName}. */
export interface MixRound {
  readonly served: Readonly<Record<string, Served>>;
  /** Transactions a second. */
  readonly pgbench: Readonly<Record<Way, number>>;
}

export interface Mix {
  /** {@link OURS}, and the other checkouts. */
  readonly checkouts: readonly string[];
  readonly callers: number;
  round(seconds: number): Promise<MixRound>;
  stop(): Promise<void>;
}

/** The mix, or one kind of it, of a server, over one way to its stores, on a number of sockets. */
export function mixName(server: string, way: Way, kind: Kind | (typeof SOCKETS)[number]): string {
  return [server, way, kind].join(" ");
}

/** One walk of an index for each request of the mix. Nobody asks who calls. */
const BARE: Readonly<Record<Kind, string>> = {
  poll: bare("updated_at", ">", 1000),
  "page of 50": bare("inserted_at", "<", 50),
  "page of 1,000": bare("inserted_at", "<", 1000),
};

function bare(column: string, sign: ">" | "<", limit: number): string {
  const direction = sign === "<" ? "DESC" : "ASC";
  return `\\set shop random(1, ${OTHER_SHOPS})
SELECT doc FROM survey.responses WHERE shop_id = 'shop_bench_' || :shop AND (${column}, id) ${sign} (now(), '')
ORDER BY ${column} ${direction}, id ${direction} LIMIT ${limit + 1};
`;
}

/**
 * Starts what the mix is asked of: resource servers with the limits of production, of this checkout and of those in `others`,
 * and the naive peer; each reaches its stores by plain TCP and by TLS.
 */
export async function startMix(stack: BenchStack, others: readonly string[]): Promise<Mix> {
  const folder = await mkdtemp(join(tmpdir(), "partner-connect-tls-"));
  const stops: (() => void)[] = [];
  const stop = async (): Promise<void> => {
    for (const end of stops) end();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    const encrypted = await encryptStores(stack.sql, stack.redisUrl, folder);
    const database = { plain: `${stack.databaseUrl}?sslmode=disable`, TLS: encrypted.postgres(stack.databaseUrl) };
    const redis = { plain: stack.redisUrl, TLS: encrypted.redis };
    const checkouts = [fileURLToPath(new URL("../../..", import.meta.url)), ...others.map((other) => resolve(other))];
    const names = checkouts.map((path, index) => (index === 0 ? OURS : basename(path)));
    const servers: Record<string, Server> = {};
    for (const way of WAYS) {
      for (const [index, checkout] of checkouts.entries()) {
        const replica = await startReplica(checkout, stack.server.pids.node, {
          DATABASE_URL: serviceUrl(database[way]),
          REDIS_URL: redis[way],
          NODE_EXTRA_CA_CERTS: encrypted.root,
          API_RATE_LIMIT: "600",
        });
        stops.push(replica.stop);
        servers[`${names[index]} ${way}`] = { url: replica.url, pids: { ...stack.server.pids, node: replica.pid } };
      }
      const peer = await startNaivePeer(stack, database[way]);
      stops.push(peer.stop);
      servers[`${NAIVE} ${way}`] = peer.server;
    }
    const callers = await connectCallers(stack.sql);
    const shops = await shopRequests(stack.apiUrl, callers, await tokensOf(callers, stack));
    const scripts: PgbenchScript[] = KINDS.map((kind) => ({ text: BARE[kind], weight: SHARES[kind] }));
    const round = async (seconds: number): Promise<MixRound> => {
      const served: Record<string, Served> = {};
      const tokens = await tokensOf(callers, stack);
      for (const load of [...SOCKETS, ...KINDS]) {
        const isKind = typeof load === "string";
        const options = { connections: isKind ? SOCKETS[0] : load, seconds: isKind ? Math.ceil(seconds / 2) : seconds };
        const requests = mixOf(callers, tokens, shops, isKind ? load : undefined);
        const asked = load === SOCKETS[1] ? [...names, NAIVE] : names;
        for (const [way, name] of WAYS.flatMap((way) => asked.map((name) => [way, name] as const))) {
          const server = servers[`${name} ${way}`] as Server;
          served[mixName(name, way, load)] = await serve(
            server,
            name === NAIVE ? naively(requests) : requests,
            options,
          );
        }
      }
      const rate = (way: Way) => pgbench({ url: serviceUrl(database[way]), clients: 4, seconds, scripts });
      return { served, pgbench: { plain: await rate("plain"), TLS: await rate("TLS") } };
    };
    return { checkouts: names, callers: callers.length, round, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** The naive peer is told the shop. */
function naively(requests: readonly MixRequest[]): readonly MixRequest[] {
  return requests.map((request) => ({ ...request, path: `${request.path}&shop=${request.shopId}` }));
}
