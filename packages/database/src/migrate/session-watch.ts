import { setTimeout as pause } from "node:timers/promises";
import type { Sql } from "../pool/sql.ts";

/** Milliseconds between polls. */
const PACE = 100;

export type SessionWatch = ReturnType<typeof watchSession>;

/** Polls, through the separate connection `sql`, what a session waits for, and reports it. */
export function watchSession(sql: Sql, report: (line: string) => void) {
  const end = new AbortController();
  let followed: number | null = null;
  let holders: readonly HolderRow[] = [];
  let reported = "";
  const say = (what: string, line: string) => {
    if (what !== reported) report(line);
    reported = what;
  };
  const poll = async (pid: number) => {
    const rows = await sql.unsafe<HolderRow[]>(HOLDERS, [pid]);
    const [first] = rows;
    if (first) {
      holders = rows;
      say(
        rows.map((row) => row.pid).join(),
        `waiting for ${first.table ?? "a transaction"}: ${describeHolders(rows)}`,
      );
    }
    const standby =
      await sql`SELECT FROM pg_stat_activity WHERE pid = ${pid} AND wait_event = 'SyncRep'`;
    if (standby.count > 0) {
      say(
        "standby",
        "committed on this server; waiting for a standby of synchronous_standby_names",
      );
    }
  };
  const run = async () => {
    for (;;) {
      await pause(PACE, undefined, { signal: end.signal });
      if (followed !== null) await poll(followed);
    }
  };
  // Errors here are ignored; the migration surfaces any database fault itself.
  const done = run().catch(() => {});
  return {
    /** Watches the session of this backend from now on. */
    follow(pid: number): void {
      followed = pid;
      holders = [];
    },
    /** Holders of the last lock that the session waited for. */
    get holders(): readonly Holder[] {
      return holders;
    },
    async stop(): Promise<void> {
      end.abort();
      await done;
    },
  };
}

/** A session that blocks another one. Columns that its user may not see are null. */
interface Holder {
  /** 0 for a prepared transaction, which has no session. */
  readonly pid: number;
  readonly user: string | null;
  readonly application: string | null;
  readonly type: string | null;
  readonly state: string | null;
  /** Since its transaction began. */
  readonly seconds: number | null;
  readonly query: string | null;
}

interface HolderRow extends Holder {
  /** The locked table; null if it waits for the end of a transaction. */
  readonly table: string | null;
}

const HOLDERS = `
  SELECT held.pid, a.usename AS "user", a.application_name AS application, a.backend_type AS type, a.state, a.query,
    extract(epoch FROM clock_timestamp() - coalesce(a.xact_start, a.query_start))::float8 AS seconds,
    (SELECT l.relation::regclass::text FROM pg_locks l
     WHERE l.pid = $1::int AND NOT l.granted AND l.relation IS NOT NULL LIMIT 1) AS "table"
  FROM unnest(pg_blocking_pids($1::int)) AS held (pid) LEFT JOIN pg_stat_activity a ON a.pid = held.pid
  ORDER BY a.xact_start NULLS LAST`;

/** The most holders to name, and characters of a statement to show. */
const NAMED = 3;
const QUERY_LENGTH = 80;

export function describeHolders(holders: readonly Holder[]): string {
  const more = holders.length > NAMED ? ` and ${holders.length - NAMED} more` : "";
  return `held by ${holders.slice(0, NAMED).map(describe).join(", ")}${more}`;
}

export function isAutovacuum({ type }: Holder): boolean {
  return type === "autovacuum worker";
}

function describe(holder: Holder): string {
  if (holder.pid === 0) return "a prepared transaction";
  const facts = [
    holder.user && `user ${holder.user}`,
    holder.application && `application ${holder.application}`,
    holder.type !== "client backend" && holder.type,
    holder.state?.startsWith("idle in transaction") && holder.state,
    holder.seconds !== null && `for ${Math.round(holder.seconds)} s`,
    holder.query && shortened(holder.query),
  ].filter(Boolean);
  return `pid ${holder.pid} (${facts.join(", ")})`;
}

/** The statement on one line, shortened, with string and number literals removed. */
function shortened(query: string): string {
  const text = query
    .replace(/\$(\w*)\$[\s\S]*?(?:\$\1\$|$)|'(?:[^']|'')*(?:'|$)|(?<![\w$])\d[\d.]*/g, "?")
    .replace(/\s+/g, " ")
    .trim();
  return text.length > QUERY_LENGTH ? `${text.slice(0, QUERY_LENGTH - 1)}…` : text;
}
