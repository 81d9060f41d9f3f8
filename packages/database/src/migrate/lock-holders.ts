import type { Sql } from "../pool/sql.ts";

/** A session with a lock on one of our tables. Columns that its user may not see are null. */
export interface LockHolder {
  /** Null for a prepared transaction, which has no session. */
  readonly pid: number | null;
  readonly table: string;
  readonly user: string | null;
  readonly application: string | null;
  readonly type: string | null;
  readonly state: string | null;
  /** The age of its transaction. */
  readonly seconds: number | null;
  readonly query: string | null;
}

/** Maximum number of reported holders, and of characters of a statement. */
const NAMED = 3;
const QUERY_LENGTH = 80;

/** The sessions with the oldest transactions that lock a table of ours. */
export async function lockHolders(sql: Sql): Promise<LockHolder[]> {
  return await sql<LockHolder[]>`
    SELECT l.pid, min(l.relation::regclass::text) AS "table", a.usename AS "user", a.application_name AS application,
      a.backend_type AS type, a.state, a.query, extract(epoch FROM clock_timestamp() - a.xact_start)::float8 AS seconds
    FROM pg_locks l JOIN pg_class c ON c.oid = l.relation LEFT JOIN pg_stat_activity a USING (pid)
    WHERE l.granted AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
      AND c.relkind IN ('r', 'p') AND c.relnamespace::regnamespace::text IN ('directory', 'oauth', 'survey')
      AND l.pid IS DISTINCT FROM pg_backend_pid()
    GROUP BY l.pid, a.usename, a.application_name, a.backend_type, a.state, a.query, a.xact_start
    ORDER BY a.xact_start NULLS LAST LIMIT ${NAMED}`;
}

export function describeHolder(holder: LockHolder): string {
  if (holder.pid === null) return "a prepared transaction";
  const facts = [
    holder.user && `user ${holder.user}`,
    holder.application && `application ${holder.application}`,
    holder.type !== "client backend" && holder.type,
    holder.state?.startsWith("idle in transaction") && holder.state,
    holder.seconds !== null && `for ${Math.round(holder.seconds)} s`,
    holder.query && summarizeStatement(holder.query),
  ].filter(Boolean);
  return `pid ${holder.pid} (${facts.join(", ")})`;
}

/** The statement on one line, shortened, with string and number literals removed. */
function summarizeStatement(query: string): string {
  const text = query
    .replace(/\$(\w*)\$[\s\S]*?(?:\$\1\$|$)|'(?:[^']|'')*(?:'|$)|(?<![\w$])\d[\d.]*/g, "?")
    .replace(/\s+/g, " ")
    .trim();
  return text.length > QUERY_LENGTH ? `${text.slice(0, QUERY_LENGTH - 1)}…` : text;
}
