import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import type { Sql } from "@partner-connect/database";
import { AuditError } from "../audit-error.ts";

/** What each node answers to a query of one text. */
export type AskNodes = (query: string) => Promise<readonly string[]>;

/** By how much the clocks of two nodes may differ. */
const CLOCKS_DIFFER = 60_000;
const PATIENCE = 30_000;

/** Transactions that have written to a log and have not ended. Who writes has the lock before the record gets its time. */
const WRITERS = `
  SELECT coalesce(string_agg(DISTINCT l.virtualtransaction, ' '), '')
  FROM pg_locks l JOIN pg_class c ON c.oid = l.relation
  WHERE l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
    AND l.mode = 'RowExclusiveLock' AND l.granted AND l.pid IS DISTINCT FROM pg_backend_pid()
    AND c.relname LIKE 'audit\\_log%' AND c.relnamespace::regnamespace::text IN ('oauth', 'directory')`;

/**
 * A time before which every record that there will ever be is committed. It waits for transactions that are writing, and holds up nobody.
 * @throws {AuditError} UNSETTLED if one of them is still open after `patience` milliseconds
 */
export async function settledTime(sql: Sql, askNodes: AskNodes, patience = PATIENCE): Promise<Date> {
  const [row] = await sql<{ now: Date }[]>`SELECT clock_timestamp() AS now`;
  assert(row, "a SELECT without FROM returned no row");
  const writers = async () => (await askNodes(WRITERS)).map((names) => names.split(" ").filter((name) => name !== ""));
  let open = await writers();
  const deadline = Date.now() + patience;
  while (open.some((names) => names.length > 0)) {
    if (Date.now() > deadline) {
      throw new AuditError(
        `a transaction has been writing to the audit log for ${patience / 1000} s; what is older is settled only when it has ended`,
        "UNSETTLED",
        "try again later; pg_stat_activity and pg_prepared_xacts show it",
      );
    }
    await sleep(100);
    const now = await writers();
    open = open.map((names, node) => names.filter((name) => now[node]?.includes(name)));
  }
  return new Date(row.now.getTime() - CLOCKS_DIFFER);
}
