import type { Queries } from "@partner-connect/database";

/** SHA-256 hashes of the key, which may be secret, and of the body, which may be long. */
export interface IdempotentRequest {
  readonly keyHash: Buffer;
  readonly bodyHash: Buffer;
}

interface Caller {
  readonly shopId: string;
  /** The id of the connection or of the API key. */
  readonly id: string;
}

interface ClaimedKey {
  readonly bodyHash: Buffer;
  /** Null if this request is the first. */
  readonly status: 200 | 201 | null;
  readonly answer: string | null;
}

/** Hours for which a key returns the first response. The back office purges expired keys. */
const REMEMBERED_HOURS = 24;

/**
 * Inserts the key or, if it was claimed within 24 hours, returns the stored request and response. A
 * concurrent request with the key waits for the row lock. Index: idempotency_keys_pkey.
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
