import type { Sql } from "@partner-connect/database";
import type { AnsweredRequest, Logger } from "@partner-connect/service-runtime";
import { MemoryCounts } from "@partner-connect/service-runtime/memory-counts";
import type { Connection } from "./connection.ts";
import { usageOfShop } from "./lists/list-connections.ts";

/**
 * What was refused. `refused` (4xx), `limited` (429) and `failed` (5xx) are API calls; the others
 * are calls of the token endpoint, and the first requests of authorizations.
 */
export const REFUSAL_KINDS = [
  "refused",
  "limited",
  "failed",
  "token_refused",
  "token_failed",
  "authorize_refused",
] as const;
export type RefusalKind = (typeof REFUSAL_KINDS)[number];

/** A refused, limited or failed request. Only `sent` has text from the client. */
export interface Refusal {
  readonly clientId: string;
  readonly at: number;
  /** The `x-request-id` of the response. */
  readonly requestId: string;
  /** Method and route path, for example `GET /api/responses`. */
  readonly call: string;
  readonly status: number;
  readonly what: RefusalKind;
  readonly reason: string;
  /** `error` in the response; null if the response was a page. */
  readonly error: string | null;
  readonly param: string | null;
  readonly connectionId: string | null;
  /** The refused redirect URI, with secret parts removed. */
  readonly sent: string | null;
}

/** The first full hour of the last 7 days, so that counts by the hour match the stored refusals. */
const firstFullHour = (sql: Sql) =>
  sql`date_trunc('hour', now(), 'UTC') - make_interval(days => 7, hours => -1)`;

/**
 * Newest refusals stored per client and reason, so that a flood of one mistake displaces no other.
 */
const STORED_OF_A_REASON = 200;

/**
 * Stores refusals, and deletes all but the newest 200 per client and reason. Index:
 * client_refusals_pkey.
 */
export async function addRefusals(sql: Sql, refusals: readonly Refusal[]): Promise<void> {
  if (refusals.length === 0) return;
  await sql`
    INSERT INTO oauth.client_refusals (client_id, what, reason, at, request_id, call, status, error, param, connection_id, sent)
    SELECT "clientId", what, reason, to_timestamp(at / 1000.0), "requestId", call, status, error, param, "connectionId", sent
    FROM json_to_recordset(${JSON.stringify(refusals)}::text::json) AS kept
      ("clientId" text, what text, reason text, at bigint, "requestId" text, call text, status integer, error text, param text, "connectionId" text, sent text)
    ORDER BY "clientId" COLLATE "C", what COLLATE "C", reason COLLATE "C", at, "requestId" COLLATE "C"
    ON CONFLICT DO NOTHING`;
  const ends = await sql<{ clientId: string; what: string; reason: string; end: string }[]>`
    SELECT * FROM (
      SELECT DISTINCT "clientId", what, reason FROM json_to_recordset(${JSON.stringify(refusals)}::text::json) AS kept
        ("clientId" text, what text, reason text)) AS k
    CROSS JOIN LATERAL (
      SELECT at::text AS end FROM oauth.client_refusals r
      WHERE r.client_id = k."clientId" AND r.what = k.what AND r.reason = k.reason
      ORDER BY at DESC OFFSET ${STORED_OF_A_REASON} LIMIT 1) AS last`;
  for (const { clientId, what, reason, end } of ends) {
    await sql`
      DELETE FROM oauth.client_refusals
      WHERE client_id = ${clientId} AND what = ${what} AND reason = ${reason} AND at <= ${end}::text::timestamptz`;
  }
}

export interface StoredRefusal extends Omit<Refusal, "at" | "clientId"> {
  readonly at: Date;
  /** How many refusals with this reason match the query. */
  readonly kept: number;
}

/**
 * A client's refusals of the last 7 days: the newest `each` of each reason, newest first. Index:
 * client_refusals_pkey.
 */
export async function refusalsOfClient(
  sql: Sql,
  clientId: string,
  { requestId, connectionId }: Partial<Record<"requestId" | "connectionId", string | undefined>>,
  each: number,
): Promise<StoredRefusal[]> {
  return await sql<StoredRefusal[]>`
    SELECT what, reason, at, request_id AS "requestId", call, status, error, param, connection_id AS "connectionId", sent, kept
    FROM (
      SELECT *, count(*) OVER (PARTITION BY what, reason)::int AS kept,
        row_number() OVER (PARTITION BY what, reason ORDER BY at DESC, request_id) AS place
      FROM oauth.client_refusals
      WHERE client_id = ${clientId} AND at >= ${firstFullHour(sql)}
        AND ${requestId === undefined ? sql`true` : sql`request_id = ${requestId}`}
        AND ${connectionId === undefined ? sql`true` : sql`connection_id = ${connectionId}`}) AS r
    WHERE place <= ${each} ORDER BY at DESC, request_id, what, reason`;
}

/**
 * Counts a client's refusals of the last 7 days by reason, most frequent first, including those
 * that are not stored. Index: client_activity_pkey.
 */
export async function countRefusalsOfClient(sql: Sql, clientId: string) {
  return await sql<Omit<HourlyActivity, "hour">[]>`
    SELECT what, reason, sum(count)::float8 AS count FROM oauth.client_activity
    WHERE client_id = ${clientId} AND hour >= ${firstFullHour(sql)}
      AND what = ANY (${REFUSAL_KINDS}::text[])
    GROUP BY what, reason ORDER BY count DESC, what, reason`;
}

/**
 * Counts each connection's API calls that returned 4xx or 5xx, and its stored refusals by the token
 * endpoint, in the last 7 days. Indexes: api_usage_pkey, client_refusals_pkey.
 */
export async function errorsOfConnections(
  sql: Sql,
  clientId: string,
  of: readonly Pick<Connection, "id" | "shopId">[],
): Promise<ReadonlyMap<string, number>> {
  const [ids, shopIds] = [of.map(({ id }) => id), of.map(({ shopId }) => shopId)];
  const [usage, stored] = await Promise.all([
    usageOfShop(sql, shopIds, 7 * 24 - 1),
    sql<{ id: string }[]>`
      SELECT connection_id AS id FROM oauth.client_refusals
      WHERE client_id = ${clientId} AND what IN ('token_refused', 'token_failed')
        AND at >= ${firstFullHour(sql)} AND connection_id = ANY (${ids}::text[])`,
  ]);
  const errors = new Map([...usage].map(([id, { refused, failed }]) => [id, refused + failed]));
  for (const { id } of stored) errors.set(id, (errors.get(id) ?? 0) + 1);
  return errors;
}

/**
 * What is counted: for the API, `calls` and the `records` they returned; for the token endpoint,
 * successful `exchanges` and `refreshes`; and refusals.
 */
export type ActivityKind = "calls" | "records" | "exchanges" | "refreshes" | RefusalKind;

/** A count of one client in one hour. */
export interface Activity {
  readonly clientId: string;
  /** Start of the hour, in milliseconds since the epoch. */
  readonly hour: number;
  readonly what: ActivityKind;
  /** The reason as in the log; empty if there is none. */
  readonly reason: string;
  count: number;
  /** Every refusal is counted, but only some are stored as examples. */
  readonly examples: Refusal[];
}

/**
 * Stores the examples, then adds the counts. The examples come first because storing them is
 * idempotent: after a fault both are repeated. Rows are locked in the order of their keys, so
 * replicas never deadlock. Counts of a deleted client are dropped. Indexes: client_activity_pkey,
 * clients_pkey.
 */
export async function addActivity(sql: Sql, activities: readonly Activity[]): Promise<void> {
  const ids = [...new Set(activities.map(({ clientId }) => clientId))];
  const there = await sql<{ id: string }[]>`
    SELECT client_id AS id FROM directory.clients WHERE client_id = ANY (${ids}::text[])`;
  const known = new Set(there.map(({ id }) => id));
  const kept = activities.filter(({ clientId }) => known.has(clientId));
  if (kept.length === 0) return;
  const refusals = kept.flatMap(({ examples }) => examples);
  await addRefusals(sql, refusals);
  const counted = kept.map(({ examples: _, ...counts }) => counts);
  await sql`
    INSERT INTO oauth.client_activity AS stored (client_id, hour, what, reason, count)
    SELECT "clientId", to_timestamp(hour / 1000), what, reason, count
    FROM json_to_recordset(${JSON.stringify(counted)}::text::json) AS counted
      ("clientId" text, hour bigint, what text, reason text, count bigint)
    ORDER BY "clientId" COLLATE "C", hour, what COLLATE "C", reason COLLATE "C"
    ON CONFLICT (client_id, hour, what, reason) DO UPDATE SET count = stored.count + excluded.count`;
}

export interface HourlyActivity {
  readonly hour: Date;
  readonly what: ActivityKind;
  readonly reason: string;
  readonly count: number;
}

/**
 * A client's activity by hour, oldest first. The services store theirs every ten seconds. Index:
 * client_activity_pkey.
 */
export async function activityOfClient(
  sql: Sql,
  clientId: string,
  since: Date,
): Promise<HourlyActivity[]> {
  return await sql<HourlyActivity[]>`
    SELECT hour, what, reason, count::float8 AS count FROM oauth.client_activity
    WHERE client_id = ${clientId} AND hour >= ${since} ORDER BY hour, what, reason`;
}

const HOUR_MS = 3_600_000;

/**
 * Examples stored per client and reason between two flushes, so that equal refusals don't displace
 * others.
 */
const EXAMPLES_OF_A_REASON = 10;

/**
 * Once this many counts wait to be stored, no more examples are kept (about 8 MB), as in floods of
 * many clients or while Postgres is down.
 */
const MAX_WITH_EXAMPLES = 2000;

export class ActivityCounters extends MemoryCounts<Activity> {
  constructor(sql: Sql, logger: Logger) {
    super({
      name: "client activity",
      logger,
      store: (all) => addActivity(sql, all),
      merge(activity, more) {
        activity.count += more.count;
        activity.examples.push(
          ...more.examples.slice(0, EXAMPLES_OF_A_REASON - activity.examples.length),
        );
      },
    });
  }

  add(clientId: string, what: ActivityKind, reason = "", count = 1, examples: Refusal[] = []) {
    const now = Date.now();
    const hour = now - (now % HOUR_MS);
    const activity = { clientId, hour, what, reason, count, examples };
    this.count(`${clientId} ${hour} ${what} ${reason}`, activity);
  }

  /**
   * Counts a refusal of a known client, and keeps it as an example if the buffer has room. For a
   * batch, `count` is the number of tokens refused for this reason.
   */
  addRefusal(
    what: RefusalKind,
    answered: AnsweredRequest,
    reason = answered.reason ?? `status_${answered.status}`,
    count = 1,
  ): void {
    const { clientId, requestId, call, status } = answered;
    if (clientId === undefined) return;
    const { error = null, param = null, connectionId = null, sent = null } = answered;
    const request = { clientId, at: Date.now(), requestId, call, status, connectionId, sent };
    const example = { ...request, what, reason, error, param };
    this.add(clientId, what, reason, count, this.size < MAX_WITH_EXAMPLES ? [example] : []);
  }

  /** Like {@link addRefusal}, for a refused, limited or failed call of the API. */
  addApiRefusal(answered: AnsweredRequest): void {
    const { status, limit } = answered;
    if (status === 429) this.addRefusal("limited", answered, limit);
    else this.addRefusal(status >= 500 ? "failed" : "refused", answered);
  }
}
