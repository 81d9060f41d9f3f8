/** A session that holds what another one waits for. What its user may not see is null. */
export interface Holder {
  /** 0: a prepared transaction, which has no session. */
  readonly pid: number;
  readonly user: string | null;
  readonly application: string | null;
  readonly type: string | null;
  readonly state: string | null;
  /** Since its transaction began. */
  readonly seconds: number | null;
  readonly query: string | null;
}

export interface HolderRow extends Holder {
  /** What is waited for; null: the end of a transaction. */
  readonly table: string | null;
}

/** Who holds what the session $1 waits for. */
export const HOLDERS = `
  SELECT held.pid, a.usename AS "user", a.application_name AS application, a.backend_type AS type, a.state, a.query,
    extract(epoch FROM clock_timestamp() - coalesce(a.xact_start, a.query_start))::float8 AS seconds,
    (SELECT l.relation::regclass::text FROM pg_locks l
     WHERE l.pid = $1::int AND NOT l.granted AND l.relation IS NOT NULL LIMIT 1) AS "table"
  FROM unnest(pg_blocking_pids($1::int)) AS held (pid) LEFT JOIN pg_stat_activity a ON a.pid = held.pid
  ORDER BY a.xact_start NULLS LAST`;

/** How many holders are named, and how many characters of a statement are shown. */
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
  const told = [
    holder.user && `user ${holder.user}`,
    holder.application && `application ${holder.application}`,
    holder.type !== "client backend" && holder.type,
    holder.state?.startsWith("idle in transaction") && holder.state,
    holder.seconds !== null && `for ${Math.round(holder.seconds)} s`,
    holder.query && shortened(holder.query),
  ].filter(Boolean);
  return `pid ${holder.pid} (${told.join(", ")})`;
}

/** The statement on one line, cut, and without what may be somebody's data: strings and numbers. */
function shortened(query: string): string {
  const text = query
    .replace(/\$(\w*)\$[\s\S]*?(?:\$\1\$|$)|'(?:[^']|'')*(?:'|$)|(?<![\w$])\d[\d.]*/g, "?")
    .replace(/\s+/g, " ")
    .trim();
  return text.length > QUERY_LENGTH ? `${text.slice(0, QUERY_LENGTH - 1)}…` : text;
}
