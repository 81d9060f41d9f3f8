import { hash, randomUUID } from "node:crypto";
import { type Queries, type Sql, transaction } from "@partner-connect/database";
import { appendChangesIn } from "../changes/append-changes.ts";
import type { Delivery, Endpoint } from "./webhook.ts";

/** A due webhook to an endpoint. It says that the feed has something new, and carries no data. */
export interface DueWebhook {
  readonly endpoint: Pick<Endpoint, "id" | "clientId" | "url" | "secrets">;
  /** The `webhook-id`. */
  readonly id: string;
  readonly body: string;
  /** The feed's last number when the webhook was created; null for a test. */
  readonly number: string | null;
  /** Consecutive failed attempts before this one. */
  readonly failures: number;
  readonly failingSince: Date | null;
}

interface Row extends Pick<DueWebhook, "failures" | "failingSince"> {
  readonly url: string;
  readonly secrets: Endpoint["secrets"];
  readonly sentNumber: string;
  readonly isActive: boolean;
  readonly isEarly: boolean;
}

/**
 * Returns the webhook for the feed's entries since the last delivered one. Its id and body are
 * derived from the feed's numbers then and now, so until the feed grows a retry sends the same ones
 * (except the time, if entries were purged). Null if there are no new entries, the endpoint is not
 * active, or its next attempt is not due, in which case a later job is added. Waits for a
 * transaction that is appending, even the feed's first entry, because such a transaction adds no
 * job while this one is queued. Indexes: change_positions_pkey, webhooks_pkey,
 * changes_client_id_number_key.
 */
export async function dueWebhook(
  sql: Sql,
  clientId: string,
  id: string,
): Promise<DueWebhook | null> {
  return await transaction(sql, async (tx) => {
    await tx`
      INSERT INTO oauth.change_positions (client_id, number)
      SELECT client_id, 0 FROM directory.clients WHERE client_id = ${clientId} ON CONFLICT DO NOTHING`;
    const [position] = await tx<{ number: string }[]>`
      SELECT number::text AS number FROM oauth.change_positions WHERE client_id = ${clientId} FOR SHARE`;
    const row = await findEndpoint(tx, clientId, id);
    if (!row?.isActive || !position || position.number === row.sentNumber) return null;
    if (row.isEarly) {
      await tx`SELECT oauth.add_webhook_jobs(ARRAY[${clientId}]::text[], ${id})`;
      return null;
    }
    const news = await tx<{ kind: string; at: Date }[]>`
      SELECT kind, max(at) AS at FROM oauth.changes
      WHERE client_id = ${clientId} AND number > ${row.sentNumber}::text::bigint GROUP BY kind ORDER BY 2 DESC`;
    const { number } = position;
    const at = news[0]?.at ?? new Date(); // none if they have been purged
    const body = bodyOf(clientId, news.map(({ kind }) => kind).sort(), at);
    const messageId = `msg_${hash("sha256", `${id} ${row.sentNumber} ${number}`).slice(0, 32)}`;
    return { ...stateOf(row, clientId, id), id: messageId, body, number };
  });
}

/** The webhook of a test. Null if the endpoint is deleted or its client is not active. */
export async function testWebhook(
  sql: Sql,
  clientId: string,
  id: string,
  messageId: string,
): Promise<DueWebhook | null> {
  const row = await findEndpoint(sql, clientId, id);
  if (!row) return null;
  return {
    ...stateOf(row, clientId, id),
    id: messageId,
    body: bodyOf(clientId, [], new Date()),
    number: null,
  };
}

export function testIdOf(endpointId: string, form: string = randomUUID()): string {
  return `msg_${hash("sha256", `${endpointId} ${form}`).slice(0, 32)}`;
}

async function findEndpoint(sql: Queries, clientId: string, id: string): Promise<Row | undefined> {
  const [row] = await sql<Row[]>`
    SELECT w.url, w.secrets, w.failures, w.failing_since AS "failingSince", w.sent_number::text AS "sentNumber",
      w.status = 'active' AS "isActive", w.next_attempt_at > now() AS "isEarly"
    FROM oauth.webhooks w JOIN directory.clients k ON k.client_id = w.client_id AND k.status = 'active'
    WHERE w.client_id = ${clientId} AND w.id = ${id}`;
  return row;
}

function stateOf({ url, secrets, failures, failingSince }: Row, clientId: string, id: string) {
  return { endpoint: { id, clientId, url, secrets }, failures, failingSince };
}

/** Reports that the feed has new entries, and their kinds, but no data. */
function bodyOf(clientId: string, kinds: readonly string[], at: Date): string {
  return JSON.stringify({
    type: "changes",
    timestamp: at.toISOString(),
    data: { client_id: clientId, kinds },
  });
}

/** Minimum interval between webhooks to one endpoint. */
const PACE_SECONDS = 1;
const KEPT_DELIVERIES = 10;
const PATIENCE_MS = 3 * 24 * 3600 * 1000;
/** RFC 9110 §15.5.11: the partner has removed the endpoint. */
const GONE = 410;

/**
 * Stores the result of an attempt, and adds the next job if a webhook failed or a test arrived. A
 * delivered webhook moves the endpoint's position forward. Three days of failures, or a 410, pause
 * the endpoint and add an entry to the feed; the result is then true. Index: webhooks_pkey.
 */
export async function recordDelivery(
  sql: Sql,
  due: DueWebhook,
  delivery: Delivery,
  retryAfterSeconds = 0,
): Promise<boolean> {
  const { clientId, id } = due.endpoint;
  const isTest = due.number === null;
  const hasFailed = delivery.error !== null;
  const pauses = !isTest && hasFailed && mustPause(due, delivery);
  await transaction(sql, async (tx) => {
    const all = tx`jsonb_build_array(${JSON.stringify(delivery)}::text::jsonb) || deliveries`;
    await tx`
      UPDATE oauth.webhooks
      SET deliveries = jsonb_path_query_array(${all}, ${`$[0 to ${KEPT_DELIVERIES - 1}]`}::text::jsonpath)
        ${isTest && hasFailed ? tx`` : stateAfter(tx, due, delivery, retryAfterSeconds)} ${pauses ? tx`, status = 'paused'` : tx``}
      WHERE client_id = ${clientId} AND id = ${id}`;
    // The worker's role can't insert into `oauth.change_notes`, so append the feed entry directly.
    if (pauses)
      await appendChangesIn(tx, [
        { clientId, connectionId: "", shopId: null, kind: "webhook", at: new Date() },
      ]);
    // A test that arrives ends the wait before the next attempt, so it adds a job too.
    else if (isTest ? !hasFailed : hasFailed)
      await tx`SELECT oauth.add_webhook_jobs(ARRAY[${clientId}]::text[], ${id})`;
  });
  return pauses;
}

function mustPause({ failingSince }: DueWebhook, { at, status }: Delivery): boolean {
  return (
    status === GONE ||
    (failingSince !== null && Date.parse(at) - failingSince.getTime() >= PATIENCE_MS)
  );
}

/** The columns to set. Citus rejects `now()` with a column, so `due` has the present values. */
function stateAfter(
  sql: Queries,
  { number, failures, failingSince }: DueWebhook,
  { at, error }: Delivery,
  wait: number,
) {
  const works = sql`, failures = 0, failing_since = NULL`;
  if (number === null) return sql`${works}, next_attempt_at = now()`;
  const seconds = error === null ? PACE_SECONDS : Math.max(retrySeconds(failures), wait);
  const next = sql`, next_attempt_at = now() + make_interval(secs => ${seconds}::float8)`;
  return error === null
    ? sql`${next} ${works}, sent_number = ${number}::text::bigint`
    : sql`${next}, failures = ${failures + 1}, failing_since = ${failingSince?.toISOString() ?? at}::text::timestamptz`;
}

/** Seconds until a retry: 5, 20, 80 … up to an hour; ±10 % so that a host's retries spread out. */
function retrySeconds(failures: number): number {
  return Math.min(3600, 5 * 4 ** failures) * (0.9 + 0.2 * Math.random());
}
