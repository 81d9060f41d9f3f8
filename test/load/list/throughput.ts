import { derivedRolePassword, roleUrl } from "@partner-connect/database";
import { familyCpuSeconds, residentBytes } from "../cpu.ts";
import { type PeerProcess, startPeer } from "../peer-process.ts";
import { wrk } from "../wrk.ts";
import type { BenchStack } from "./bench-stack.ts";
import { cursorCount, FIRST_CURSOR } from "./data-set.ts";
import { pgbench } from "./pgbench.ts";
import { type LoggedStatement, loggedStatements } from "./statement-log.ts";

export const PAGE = 50;
export const PGBENCH_CLIENTS = 4;
export const HTTP_CONNECTIONS = 64;

type NaivePeer = PeerProcess & { readonly url: string };

/** Pages a second, and milliseconds of CPU that a page costs Node and Postgres. */
export interface Served {
  readonly perSecond: number;
  readonly nodeMs: number;
  readonly postgresMs: number;
}

export interface ThroughputRound {
  readonly pgbench: number;
  readonly ours: Served;
  /** The peer with the same duties as ours, and the peer that only lists. */
  readonly naive: Served;
  readonly alone: Served;
  /** Bytes of memory of the resource server at the end of its load. */
  readonly resident: number;
}

const cursors = ({ size }: BenchStack): readonly number[] =>
  Array.from({ length: cursorCount(size) }, (_, index) => FIRST_CURSOR + index);

/** The statement that the service sends for such a page. */
export async function pageStatement(stack: BenchStack): Promise<LoggedStatement> {
  const [statement] = await loggedStatements(stack.sql, stack.postgresLog, async () => {
    const headers = { authorization: `Bearer ${stack.accessToken}` };
    await (await fetch(stack.apiUrl + pagePath(FIRST_CURSOR), { headers })).text();
  });
  if (!statement?.parameters.includes(String(FIRST_CURSOR))) throw new Error("the log does not show the statement");
  return statement;
}

const pagePath = (cursor: number): string => `/api/responses?limit=${PAGE}&starting_after=${cursor}`;

/** One round: each of the four for some seconds, one after the other, with cursors of every age. */
export async function throughputRound(
  stack: BenchStack,
  { naive, alone }: { readonly naive: NaivePeer; readonly alone: NaivePeer },
  statement: LoggedStatement,
  seconds: number,
): Promise<ThroughputRound> {
  const all = cursors(stack);
  const password = derivedRolePassword(new URL(stack.databaseUrl).password, "resource_server");
  const pages = await pgbench({
    url: roleUrl(stack.databaseUrl, "resource_server", password),
    clients: PGBENCH_CLIENTS,
    seconds,
    statement,
    cursor: String(FIRST_CURSOR),
    cursors: { first: FIRST_CURSOR, last: FIRST_CURSOR + all.length - 1 },
  });
  const ours = await serve(stack, stack.apiUrl, stack.pids.resourceServer, all.map(pagePath), seconds);
  const resident = await residentBytes(stack.pids.resourceServer);
  const naivePaths = all.map((cursor) => `${pagePath(cursor)}&shop=${stack.shopId}`);
  return {
    pgbench: pages,
    ours,
    resident,
    naive: await serve(stack, naive.url, naive.pid, naivePaths, seconds),
    alone: await serve(stack, alone.url, alone.pid, naivePaths, seconds),
  };
}

async function serve(
  stack: BenchStack,
  url: string,
  pid: number,
  paths: readonly string[],
  seconds: number,
): Promise<Served> {
  const used = async () => [await familyCpuSeconds(pid), await familyCpuSeconds(stack.pids.postgres)] as const;
  const [nodeBefore, postgresBefore] = await used();
  const { requests, perSecond } = await wrk(
    url,
    paths.map((path) => ({ method: "GET", path })),
    { connections: HTTP_CONNECTIONS, seconds, headers: { authorization: `Bearer ${stack.accessToken}` } },
  );
  const [node, postgres] = await used();
  return {
    perSecond,
    nodeMs: ((node - nodeBefore) * 1000) / requests,
    postgresMs: ((postgres - postgresBefore) * 1000) / requests,
  };
}

/** The peers as processes of their own. */
export async function startNaivePeers(
  stack: BenchStack,
): Promise<{ naive: NaivePeer; alone: NaivePeer; stop(): void }> {
  const env = { DATABASE_URL: stack.databaseUrl, REDIS_URL: stack.redisUrl, ISSUER: stack.baseUrl };
  const naive = await startPeer<{ url: string }>("naive-list", env);
  const alone = await startPeer<{ url: string }>("naive-list", { ...env, LIST_ALONE: "1" });
  return {
    naive,
    alone,
    stop() {
      naive.stop();
      alone.stop();
    },
  };
}
