import type { Queries } from "@partner-connect/database";

/** SHA-256 of both: the key may be secret, and the body long. */
export interface IdempotentRequest {
  readonly keyHash: Buffer;
  readonly bodyHash: Buffer;
}

interface Caller {
  readonly shopId: string;
  /** The connection or the API key. */
  readonly id: string;
}

interface ClaimedKey {
  readonly bodyHash: Buffer;
  /** Null if this request is the first. */
  readonly status: 200 | 201 | null;
  readonly answer: string | null;
}

/** How long a key returns the first response. */
const REMEMBERED_HOURS = 24;

/** Limits the expired keys of the shop deleted with each new key. */
const DELETED_AT_ONCE = 10;

/**
 * Claims the key, or reads its first request; a concurrent request waits for the row lock. Index:
 * idempotency_keys_pkey.
 */
export async function claimKey(
  tx: Queries,
  { shopId, id }: Caller,
  { keyHash, bodyHash }: IdempotentRequest,
): Promise<ClaimedKey | undefined> {
  const expired = tx`excluded.created_at - kept.created_at > make_interval(hours => ${REMEMBERED_HOURS})`;
  const [claimed] = await tx<ClaimedKey[]>`
    INSERT INTO survey.idempotency_keys AS kept (shop_id, caller_id, key_hash, body_hash)
    VALUES (${shopId}, ${id}, ${keyHash}, ${bodyHash})
    ON CONFLICT (shop_id, caller_id, key_hash) DO UPDATE SET
      body_hash = CASE WHEN ${expired} THEN excluded.body_hash ELSE kept.body_hash END,
      status = CASE WHEN ${expired} THEN NULL ELSE kept.status END,
      answer = CASE WHEN ${expired} THEN NULL ELSE kept.answer END,
      created_at = CASE WHEN ${expired} THEN excluded.created_at ELSE kept.created_at END
    RETURNING body_hash AS "bodyHash", status, answer`;
  return claimed;
}

/**
 * Deletes a few expired keys of the shop, skipping locked ones. Index: idempotency_keys_by_age,
 * idempotency_keys_pkey.
 */
export async function deleteExpiredKeys(tx: Queries, shopId: string): Promise<void> {
  await tx`
    DELETE FROM survey.idempotency_keys AS kept USING (
      SELECT caller_id, key_hash FROM survey.idempotency_keys
      WHERE shop_id = ${shopId} AND created_at < now() - make_interval(hours => ${REMEMBERED_HOURS})
      ORDER BY created_at LIMIT ${DELETED_AT_ONCE} FOR UPDATE SKIP LOCKED) AS expired
    WHERE kept.shop_id = ${shopId} AND kept.caller_id = expired.caller_id AND kept.key_hash = expired.key_hash`;
}

/** Stores the response under the claimed key. Index: idempotency_keys_pkey. */
export async function storeAnswer(
  tx: Queries,
  { shopId, id }: Caller,
  { keyHash }: IdempotentRequest,
  { status, body }: { readonly status: number; readonly body: string },
): Promise<void> {
  await tx`
    UPDATE survey.idempotency_keys SET status = ${status}, answer = ${body}
    WHERE shop_id = ${shopId} AND caller_id = ${id} AND key_hash = ${keyHash}`;
}
