import { createHash } from "node:crypto";
import type { Caller } from "../authentication/caller.ts";
import { Statement } from "../authorization/caller-state.query.ts";
import { ApiError, invalidRequest } from "../errors/api-error.ts";

/** How long a key returns the first response. */
const REMEMBERED_HOURS = 24;

/** SHA-256 of both: the key may be secret, and the body long. */
export interface IdempotentRequest {
  readonly keyHash: Buffer;
  readonly bodyHash: Buffer;
}

/**
 * Returns the request's idempotency key, or null. @throws {ApiError} 400 if it is malformed or
 * repeated
 */
export function readIdempotencyKey(
  rawHeaders: readonly string[],
  body: unknown,
): IdempotentRequest | null {
  const keys = rawHeaders.filter(
    (_, i) => i % 2 === 1 && rawHeaders[i - 1]?.toLowerCase() === "idempotency-key",
  );
  const [key, ...more] = keys;
  if (key === undefined) return null;
  if (more.length > 0 || !/^[\x21-\x7e]{1,255}$/.test(key)) {
    throw invalidRequest(
      "idempotency-key",
      "Idempotency-Key must be one value of 1 to 255 visible ASCII characters.",
    );
  }
  return { keyHash: sha256(key), bodyHash: sha256(JSON.stringify(body)) };
}

/** The key was used for another body, so nothing was done. */
export const keyReused = (): ApiError =>
  new ApiError(422, { error: "idempotency_key_reused" }, { reason: "idempotency_key_reused" });

function sha256(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

export interface ClaimedRow {
  readonly body_hash: Buffer;
  /** Null if this request is the first. */
  readonly status: 200 | 201 | null;
  readonly answer: string | null;
}

/** Limits the expired keys of the shop deleted with each new key. */
const DELETED_AT_ONCE = 10;

const REMEMBERED = `interval '${REMEMBERED_HOURS} hours'`;

/**
 * Claims the key, or reads its first request; a concurrent request waits for the row lock. Index:
 * idempotency_keys_pkey.
 */
export function claimKeySql(caller: Caller, request: IdempotentRequest): Statement {
  const statement = new Statement();
  const values = [caller.shopId, caller.id, request.keyHash, request.bodyHash].map((value) =>
    statement.bind(value),
  );
  const expired = `excluded.created_at - kept.created_at > ${REMEMBERED}`;
  statement.text = `INSERT INTO survey.idempotency_keys AS kept (shop_id, caller_id, key_hash, body_hash)
    VALUES (${values.join(", ")})
    ON CONFLICT (shop_id, caller_id, key_hash) DO UPDATE SET
      body_hash = CASE WHEN ${expired} THEN excluded.body_hash ELSE kept.body_hash END,
      status = CASE WHEN ${expired} THEN NULL ELSE kept.status END,
      answer = CASE WHEN ${expired} THEN NULL ELSE kept.answer END,
      created_at = CASE WHEN ${expired} THEN excluded.created_at ELSE kept.created_at END
    RETURNING body_hash, status, answer`;
  return statement;
}

/**
 * Deletes a few expired keys of the shop, skipping locked ones. Index: idempotency_keys_by_age,
 * idempotency_keys_pkey.
 */
export function deleteExpiredSql({ shopId }: Caller): Statement {
  const statement = new Statement();
  const shop = statement.bind(shopId);
  statement.text = `DELETE FROM survey.idempotency_keys AS kept USING (
      SELECT caller_id, key_hash FROM survey.idempotency_keys
      WHERE shop_id = ${shop} AND created_at < now() - ${REMEMBERED}
      ORDER BY created_at LIMIT ${DELETED_AT_ONCE} FOR UPDATE SKIP LOCKED) AS expired
    WHERE kept.shop_id = ${shop} AND kept.caller_id = expired.caller_id AND kept.key_hash = expired.key_hash`;
  return statement;
}

/** Stores the response under the claimed key. Index: idempotency_keys_pkey. */
export function storeAnswerSql(
  caller: Caller,
  request: IdempotentRequest,
  answer: { readonly status: number; readonly body: string },
): Statement {
  const statement = new Statement();
  const values = [answer.status, answer.body, caller.shopId, caller.id, request.keyHash];
  const [status, body, shop, callerId, key] = values.map((value) => statement.bind(value));
  statement.text = `UPDATE survey.idempotency_keys SET status = ${status}, answer = ${body}
    WHERE shop_id = ${shop} AND caller_id = ${callerId} AND key_hash = ${key}`;
  return statement;
}
