import { type Queries, type Sql, transaction } from "@partner-connect/database";
import { noteStatus } from "../endpoints/note-status.ts";
import type { Delivery } from "../endpoints/webhook.ts";
import type { ClaimedHint } from "./due-hints.ts";

/** Hints to one endpoint are this far apart. */
const PACE_SECONDS = 1;
const KEPT_DELIVERIES = 10;
const PATIENCE = "3 days";
/** RFC 9110 §15.5.11: the partner wants no more of them. */
const GONE = 410;

/** Whether the endpoint was paused by this. */
export type Recorded = "paused" | "recorded";

/**
 * Writes what came of an attempt, ends the claim, and says when the next one may be. A hint that arrived moves the endpoint forward;
 * one that failed for three days, or was answered with 410, pauses it, which the feed tells. Index: webhooks_pkey.
 */
export async function recordDelivery(sql: Sql, claimed: ClaimedHint, delivery: Delivery): Promise<Recorded> {
  const { endpoint, hint, isAsked } = claimed;
  const arrived = delivery.error === null;
  if (!isAsked && !arrived) return await recordFailure(sql, claimed, delivery);
  const done = doneColumns(sql, delivery);
  const works = sql`failures = 0, failing_since = NULL`;
  const row = rowOf(sql, endpoint);
  if (!isAsked) {
    await sql`
      UPDATE oauth.webhooks SET ${done}, ${works}, sent_number = ${hint.number ?? "0"}::text::bigint,
        next_attempt_at = now() + make_interval(secs => ${PACE_SECONDS})
      WHERE ${row}`;
  } else {
    const asked = sql`asked = CASE WHEN asked ->> 'id' <> ${hint.id} THEN asked END`;
    const goesOn = arrived ? sql`, ${works}, next_attempt_at = now()` : sql``;
    await sql`UPDATE oauth.webhooks SET ${done}, ${asked} ${goesOn} WHERE ${row}`;
  }
  return "recorded";
}

/** The pause is told in the transaction in which it is written. */
async function recordFailure(sql: Sql, { endpoint }: ClaimedHint, delivery: Delivery): Promise<Recorded> {
  return await transaction(sql, async (tx) => {
    const [row] = await tx<{ isPaused: boolean }[]>`
      UPDATE oauth.webhooks
      SET ${doneColumns(tx, delivery)}, failures = failures + 1, failing_since = coalesce(failing_since, now()),
        next_attempt_at = now() + make_interval(secs => least(3600, 5 * 4 ^ least(failures, 6)) * ${spread()}::float8),
        status = CASE WHEN failing_since <= now() - ${PATIENCE}::text::interval OR ${delivery.status === GONE} THEN 'paused' ELSE status END
      WHERE ${rowOf(tx, endpoint)}
      RETURNING status = 'paused' AS "isPaused"`;
    if (!row?.isPaused) return "recorded";
    await noteStatus(tx, endpoint.clientId);
    return "paused";
  });
}

function rowOf(sql: Queries, { clientId, id }: ClaimedHint["endpoint"]) {
  return sql`client_id = ${clientId} AND id = ${id}`;
}

function doneColumns(sql: Queries, delivery: Delivery) {
  const all = sql`jsonb_build_array(${JSON.stringify(delivery)}::text::jsonb) || deliveries`;
  return sql`claimed_until = NULL, deliveries = jsonb_path_query_array(${all}, ${`$[0 to ${KEPT_DELIVERIES - 1}]`}::text::jsonpath)`;
}

/** Attempts come after 5 s, 20 s, 80 s … to an hour, a tenth more or less, so that endpoints of one host spread. */
function spread(): number {
  return 0.9 + 0.2 * Math.random();
}
