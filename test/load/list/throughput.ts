import { residentBytes } from "../cpu.ts";
import { type Served, serve } from "../served.ts";
import type { BenchStack } from "./bench-stack.ts";
import { cursorCount, FIRST_CURSOR } from "./data-set.ts";
import type { NaivePeer } from "./naive-peer.ts";
import { pageScript, pgbench, serviceUrl } from "./pgbench.ts";

export const PAGE = 50;
export const PGBENCH_CLIENTS = 4;
/** As many as load a replica. */
export const HTTP_CONNECTIONS = 64;

export interface ThroughputRound {
  /** Pages a second of pgbench, by {@link BARE_PAGE}. */
  readonly bare: number;
  /** On {@link HTTP_CONNECTIONS}. */
  readonly ours: Served;
  readonly naive: Served;
  /** Bytes of memory of the resource server at the end of its load. */
  readonly resident: number;
}

/** A prime, so that cursors of every age follow each other. */
const STRIDE = 7919;

const bareScan = (condition: string): string => `(SELECT r.inserted_at, r.id, r.doc FROM survey.responses r
  WHERE r.shop_id = $1 AND ${condition} AND (r.inserted_at, r.id) < (SELECT inserted_at, id FROM survey.responses WHERE shop_id = $1 AND id = $2)
  ORDER BY r.inserted_at DESC, r.id DESC LIMIT ${PAGE + 1})`;

/** The least that a page needs: two index scans, without the caller's state, what precedes the page, and whether the cursor exists. */
const BARE_PAGE = `SELECT r.doc FROM (${bareScan("r.updated_at = r.inserted_at")} UNION ALL ${bareScan("r.updated_at > r.inserted_at")}) r
  ORDER BY r.inserted_at DESC, r.id DESC LIMIT ${PAGE + 1}`;

const pagePath = (cursor: number): string => `/api/responses?limit=${PAGE}&starting_after=${cursor}`;

/** One round: one caller, each of the servers for some seconds, one after the other, with cursors of every age. */
export async function throughputRound(stack: BenchStack, naive: NaivePeer, seconds: number): Promise<ThroughputRound> {
  const count = cursorCount(stack.size);
  const cursors = Array.from({ length: count }, (_, index) => FIRST_CURSOR + ((index * STRIDE) % count));
  const drawn = { cursor: String(FIRST_CURSOR), first: FIRST_CURSOR, last: FIRST_CURSOR + count - 1 };
  const bare = { text: BARE_PAGE, parameters: [stack.shopId, String(FIRST_CURSOR)] };
  const requests = cursors.map((cursor) => ({ method: "GET" as const, path: pagePath(cursor) }));
  const ofShop = requests.map(({ path, ...request }) => ({ ...request, path: `${path}&shop=${stack.shopId}` }));
  const headers = { authorization: `Bearer ${stack.accessToken}` };
  const many = { connections: HTTP_CONNECTIONS, seconds, headers };
  const ours = await serve(stack.server, requests, many);
  const resident = await residentBytes(stack.server.pids.node);
  return {
    ours,
    resident,
    naive: await serve(naive.server, ofShop, many),
    bare: await pgbench({
      url: serviceUrl(stack.databaseUrl),
      clients: PGBENCH_CLIENTS,
      seconds,
      scripts: [pageScript(bare, drawn)],
    }),
  };
}
