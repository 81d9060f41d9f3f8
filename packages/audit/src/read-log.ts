import type { Queries, Row, Statement } from "@partner-connect/database";

/** The schema of a log: `oauth` has what concerns one shop, `directory` the rest. */
export type Log = "directory" | "oauth";
export const LOGS: readonly Log[] = ["directory", "oauth"];

/** A record as it is stored. */
export interface StoredRecord {
  readonly log: Log;
  readonly id: string;
  /** Milliseconds since 1970, as text: what nobody could have written may be no time of JavaScript's. */
  readonly ms: string;
  readonly event: string;
  readonly actor: string;
  readonly clientId: string | null;
  readonly shopId: string | null;
  readonly connectionId: string | null;
  readonly merchantId: string | null;
  readonly requestId: string | null;
  readonly ip: string | null;
  /** JSON, in the order of jsonb. */
  readonly details: string;
}

/** RFC 3339; of what is no time of JavaScript's, the text itself. */
export function recordTime(ms: string): string {
  const time = new Date(Number(ms));
  return Number.isNaN(time.getTime()) ? ms : time.toISOString();
}

/** From the first time until before the second one; null: no bound. */
export interface Range {
  readonly from: Date | null;
  readonly until: Date | null;
}

const PAGE = 2000;

/** The records of one log, by time and id. Index: audit_log_by_time of each part. Needs the owner's role. */
export async function* readLog(sql: Queries, log: Log, range: Range): AsyncGenerator<StoredRecord, void> {
  const [shop, connection] = log === "oauth" ? [sql`shop_id`, sql`connection_id`] : [sql`NULL`, sql`NULL`];
  let after: Statement<Row[]> = inRange(sql, range);
  for (;;) {
    const page = await sql<(Omit<StoredRecord, "log"> & { place: string })[]>`
      SELECT id, at::text AS place, round(extract(epoch FROM at) * 1000)::text AS ms, event, actor,
        client_id AS "clientId", ${shop} AS "shopId", ${connection} AS "connectionId", merchant_id AS "merchantId",
        request_id AS "requestId", host(ip) AS ip, details::text AS details
      FROM ${sql(`${log}.audit_log`)}
      WHERE ${after} ORDER BY at, id LIMIT ${PAGE}`;
    for (const { place: _, ...record } of page) yield { log, ...record };
    const last = page.at(-1);
    if (!last || page.length < PAGE) return;
    after = sql`${inRange(sql, range)} AND (at, id) > (${last.place}::text::timestamptz, ${last.id})`;
  }
}

/** The records of both logs, by time. */
export async function* readLogs(sql: Queries, range: Range): AsyncGenerator<StoredRecord, void> {
  const logs = LOGS.map((log) => readLog(sql, log, range));
  const next = await Promise.all(logs.map((log) => log.next()));
  for (;;) {
    let earliest = -1;
    for (const [at, { done, value }] of next.entries()) {
      const least = next[earliest]?.value;
      if (!done && value && (!least || Number(value.ms) < Number(least.ms))) earliest = at;
    }
    const [record, log] = [next[earliest]?.value, logs[earliest]];
    if (!record || !log) return;
    yield record;
    next[earliest] = await log.next();
  }
}

/** How many records of one log are in the range. */
export async function countLog(sql: Queries, log: Log, range: Range): Promise<number> {
  const [row] = await sql<{ records: number }[]>`
    SELECT count(*)::int AS records FROM ${sql(`${log}.audit_log`)} WHERE ${inRange(sql, range)}`;
  return row?.records ?? 0;
}

function inRange(sql: Queries, { from, until }: Range): Statement<Row[]> {
  return sql`${from ? sql`at >= ${from}` : sql`true`} AND ${until ? sql`at < ${until}` : sql`true`}`;
}
