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
/** As many as one partner uses, and as many as load a replica. */
export const FEW_CONNECTIONS = 8;
export const HTTP_CONNECTIONS = 64;

type NaivePeer = PeerProcess & { readonly url: string };

/** Pages a second, and milliseconds of CPU that a page costs Node and Postgres. */
export interface Served {
  readonly perSecond: number;
  readonly nodeMs: number;
  readonly postgresMs: number;
}

export interface ThroughputRound {
  /** Pages a second of pgbench: by our statement, and by {@link BARE_PAGE}. */
  readonly pgbench: number;
  readonly bare: number;
  readonly ours: Served;
  /** The peer with the same duties as ours, and the peer that only lists. */
  readonly naive: Served;
  readonly alone: Served;
  /** On {@link FEW_CONNECTIONS}. */
  readonly few: { readonly ours: Served; readonly alone: Served };
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

/** What a page is at the least: one walk of an index. Nobody asks who calls, what precedes the page, or whether there is the cursor. */
const BARE_PAGE = `SELECT r.doc FROM survey.responses r
  WHERE r.shop_id = $1 AND (r.inserted_at, r.id) < (SELECT inserted_at, id FROM survey.responses WHERE shop_id = $1 AND id = $2)
  ORDER BY r.inserted_at DESC, r.id DESC LIMIT ${PAGE + 1}`;

const pagePath = (cursor: number): string => `/api/responses?limit=${PAGE}&starting_after=${cursor}`;

/** One round: each of them for some seconds, one after the other, with cursors of every age. */
export async function throughputRound(
  stack: BenchStack,
  { naive, alone }: { readonly naive: NaivePeer; readonly alone: NaivePeer },
  statement: LoggedStatement,
  seconds: number,
): Promise<ThroughputRound> {
  const all = cursors(stack);
  const password = derivedRolePassword(new URL(stack.databaseUrl).password, "resource_server");
  const pages = (text: string, parameters: readonly string[]): Promise<number> =>
    pgbench({
      url: roleUrl(stack.databaseUrl, "resource_server", password),
      clients: PGBENCH_CLIENTS,
      seconds,
      statement: { text, parameters },
      cursor: String(FIRST_CURSOR),
      cursors: { first: FIRST_CURSOR, last: FIRST_CURSOR + all.length - 1 },
    });
  const us = { url: stack.apiUrl, pid: stack.pids.resourceServer };
  const paths = all.map(pagePath);
  const naivePaths = paths.map((path) => `${path}&shop=${stack.shopId}`);
  const load = { stack, seconds };
  const few = { ...load, connections: FEW_CONNECTIONS };
  const many = { ...load, connections: HTTP_CONNECTIONS };
  const ours = await serve(us, paths, many);
  const resident = await residentBytes(us.pid);
  return {
    ours,
    resident,
    pgbench: await pages(statement.text, statement.parameters),
    naive: await serve(naive, naivePaths, many),
    alone: await serve(alone, naivePaths, many),
    few: { ours: await serve(us, paths, few), alone: await serve(alone, naivePaths, few) },
    bare: await pages(BARE_PAGE, [stack.shopId, String(FIRST_CURSOR)]),
  };
}

interface LoadOptions {
  readonly stack: BenchStack;
  readonly connections: number;
  readonly seconds: number;
}

async function serve(
  { url, pid }: { readonly url: string; readonly pid: number },
  paths: readonly string[],
  { stack, connections, seconds }: LoadOptions,
): Promise<Served> {
  const used = async () => [await familyCpuSeconds(pid), await familyCpuSeconds(stack.pids.postgres)] as const;
  const [nodeBefore, postgresBefore] = await used();
  const { requests, perSecond } = await wrk(
    url,
    paths.map((path) => ({ method: "GET", path })),
    { connections, seconds, headers: { authorization: `Bearer ${stack.accessToken}` } },
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
