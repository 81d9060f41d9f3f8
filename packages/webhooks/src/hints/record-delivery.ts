import { type Queries, type Sql, transaction } from "@partner-connect/database";
import { noteStatus } from "../endpoints/note-status.ts";
import type { Delivery } from "../endpoints/webhook.ts";
import type { ClaimedHint } from "./due-hints.ts";

/** Hints to one endpoint are this far apart. */
const PACE_SECONDS = 1;
const KEPT_DELIVERIES = 10;
const PATIENCE_MS = 3 * 24 * 3600 * 1000;
/** RFC 9110 §15.5.11: the partner wants no more of them. */
const GONE = 410;

/**
 * Writes what came of an attempt, ends the claim, and says when the next one may be. A hint that arrived moves the endpoint forward;
 * one that failed for three days, or was answered with 410, pauses it, which the feed tells. True: this paused it. Index: webhooks_pkey.
 */
export async function recordDelivery(sql: Sql, claimed: ClaimedHint, delivery: Delivery): Promise<boolean> {
  const { clientId, id } = claimed.endpoint;
  const pauses = !claimed.isAsked && delivery.error !== null && isLast(claimed, delivery);
  const record = async (queries: Queries) => {
    const all = queries`jsonb_build_array(${JSON.stringify(delivery)}::text::jsonb) || deliveries`;
    await queries`
      UPDATE oauth.webhooks
      SET claimed_until = NULL, ${outcome(queries, claimed, delivery)} ${pauses ? queries`, status = 'paused'` : queries``},
        deliveries = jsonb_path_query_array(${all}, ${`$[0 to ${KEPT_DELIVERIES - 1}]`}::text::jsonpath)
      WHERE client_id = ${clientId} AND id = ${id}`;
  };
  if (!pauses) await record(sql);
  else {
    await transaction(sql, async (tx) => {
      await record(tx);
      await noteStatus(tx, clientId);
    });
  }
  return pauses;
}

function isLast({ failingSince }: ClaimedHint, { at, status }: Delivery): boolean {
  return status === GONE || (failingSince !== null && Date.parse(at) - failingSince.getTime() >= PATIENCE_MS);
}

/** The claim says what the row had: nobody else changes these columns meanwhile. */
function outcome(sql: Queries, { hint, isAsked, failures, failingSince }: ClaimedHint, { at, error }: Delivery) {
  const works = sql`failures = 0, failing_since = NULL`;
  if (isAsked) {
    const goesOn = error === null ? sql`, ${works}, next_attempt_at = now()` : sql``;
    return sql`asked = CASE WHEN asked ->> 'id' <> ${hint.id} THEN asked END ${goesOn}`;
  }
  const seconds = error === null ? PACE_SECONDS : pause(failures);
  const next = sql`next_attempt_at = now() + make_interval(secs => ${seconds}::float8)`;
  return error === null
    ? sql`${next}, ${works}, sent_number = ${hint.number ?? "0"}::text::bigint`
    : sql`${next}, failures = ${failures + 1}, failing_since = ${failingSince?.toISOString() ?? at}::text::timestamptz`;
}

/** Attempts come after 5 s, 20 s, 80 s … to an hour, a tenth more or less, so that endpoints of one host spread. */
function pause(failures: number): number {
  return Math.min(3600, 5 * 4 ** failures) * (0.9 + 0.2 * Math.random());
}
