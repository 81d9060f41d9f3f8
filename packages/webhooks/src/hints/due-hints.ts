import type { Sql } from "@partner-connect/database";
import type { Webhook } from "../endpoints/webhook.ts";
import { type Hint, newHint } from "./hint.ts";

/** An endpoint to which a hint is due. */
export interface DueEndpoint {
  readonly id: string;
  readonly clientId: string;
  /** Its last attempt failed. */
  readonly isFailing: boolean;
  readonly isAsked: boolean;
  readonly sentNumber: string;
  readonly number: string;
  /** Its last hint did not arrive yet: it is repeated before others. */
  readonly isRepeat: boolean;
}

/** A hint that this process sends. */
export interface ClaimedHint {
  readonly endpoint: Pick<Webhook, "id" | "clientId" | "url" | "secrets">;
  readonly hint: Hint;
  /** Attempts before this one that failed, in a row. */
  readonly failures: number;
  readonly failingSince: Date | null;
  /** An operator's: it changes nothing of what is due. */
  readonly isAsked: boolean;
}

/** While a process sends, no other one sends to that endpoint: longer than an attempt can take. One that was killed is followed after it. */
const LEASE_SECONDS = 15;

/**
 * Endpoints that have waited longest; failing ones and others apart, so that the one kind does not keep the other from its turn. A
 * disabled or deleted client's are not due. It reads the whole table, which has some rows for each client.
 */
export async function dueEndpoints(sql: Sql, isFailing: boolean, limit: number): Promise<DueEndpoint[]> {
  return await sql<DueEndpoint[]>`
    SELECT w.id, w.client_id AS "clientId", w.failures > 0 AS "isFailing", w.asked IS NOT NULL AS "isAsked",
      w.sent_number::text AS "sentNumber", coalesce(p.number, 0)::text AS number,
      coalesce((w.hint ->> 'number')::bigint <> w.sent_number, false) AS "isRepeat"
    FROM oauth.webhooks w
      JOIN directory.clients k ON k.client_id = w.client_id AND k.status = 'active'
      LEFT JOIN oauth.change_positions p ON p.client_id = w.client_id
    WHERE (w.claimed_until IS NULL OR w.claimed_until < now()) AND (w.failures > 0) = ${isFailing}
      AND (w.asked IS NOT NULL OR (w.status = 'active' AND w.next_attempt_at <= now() AND p.number <> w.sent_number))
    ORDER BY w.asked IS NULL, w.next_attempt_at, w.id LIMIT ${limit}`;
}

/**
 * Takes the endpoint for this process, and writes down which hint it sends; null: another process has it, or has sent it. Indexes:
 * webhooks_pkey, changes_client_id_number_key.
 */
export async function claimHint(sql: Sql, due: DueEndpoint): Promise<ClaimedHint | null> {
  const { clientId, id, isAsked, sentNumber, isRepeat } = due;
  const fresh = !isAsked && !isRepeat ? await hintOf(sql, due) : null;
  const [row] = await sql<(ClaimedHint["endpoint"] & Pick<ClaimedHint, "hint" | "failures" | "failingSince">)[]>`
    UPDATE oauth.webhooks
    SET claimed_until = now() + make_interval(secs => ${LEASE_SECONDS}), hint = coalesce(${fresh}::text::jsonb, hint)
    WHERE client_id = ${clientId} AND id = ${id} AND (claimed_until IS NULL OR claimed_until < now())
      AND (asked IS NOT NULL) = ${isAsked}
      AND (asked IS NOT NULL OR (status = 'active' AND next_attempt_at <= now() AND sent_number = ${sentNumber}::text::bigint))
    RETURNING id, client_id AS "clientId", url, secrets, failures, failing_since AS "failingSince", coalesce(asked, hint) AS hint`;
  if (!row) return null;
  const { hint, failures, failingSince, ...endpoint } = row;
  return { endpoint, hint, failures, failingSince, isAsked };
}

/** As it is kept. A kind that changes after this is told by the next hint. */
async function hintOf(sql: Sql, { clientId, sentNumber, number }: DueEndpoint): Promise<string> {
  const rows = await sql<{ kind: string }[]>`
    SELECT DISTINCT kind FROM oauth.changes WHERE client_id = ${clientId} AND number > ${sentNumber}::text::bigint ORDER BY kind`;
  const kinds = rows.map(({ kind }) => kind);
  return JSON.stringify(newHint(kinds, number));
}
