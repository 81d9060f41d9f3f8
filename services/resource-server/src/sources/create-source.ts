import assert from "node:assert/strict";
import { type Queries, type Sql, transaction } from "@partner-connect/database";
import {
  claimKey,
  type IdempotentRequest,
  putSource,
  type SourceFields,
  storeAnswer,
} from "@partner-connect/survey-data";
import type { Caller } from "../authentication/caller.ts";
import { readCallerState, refusalOf } from "../authorization/caller-state.query.ts";
import { forbidden, refusedCredential } from "../errors/api-error.ts";
import { keyReused } from "./idempotency-key.ts";

/** 201 for a new source, 200 for an existing one. */
export interface SourceAnswer {
  readonly status: 200 | 201;
  readonly body: string;
}

/**
 * Creates or updates the source. With an idempotency key it does so once: a repeat waits, and gets
 * the first response. @throws {ApiError} 401 or 403 by the caller's state; 422: another body
 */
export async function createSource(
  sql: Sql,
  caller: Caller,
  source: SourceFields,
  once: IdempotentRequest | null,
): Promise<SourceAnswer> {
  return await transaction(sql, async (tx) => {
    if (once === null) return await writeSource(tx, caller, source);
    const [claimed] = await Promise.all([claimKey(tx, caller, once), requireAllowed(tx, caller)]);
    assert(claimed, "an upsert returned no row");
    if (!claimed.bodyHash.equals(once.bodyHash)) throw keyReused();
    if (claimed.status !== null && claimed.answer !== null)
      return { status: claimed.status, body: claimed.answer };
    const answer = await writeSource(tx, caller, source);
    await storeAnswer(tx, caller, once, answer);
    return answer;
  });
}

/**
 * Writes, then checks the shop and the caller, because the write may have waited for a lock, and an
 * erasure that has begun may miss the source. A refusal rolls back. @throws {ApiError} 403, 401
 */
async function writeSource(
  tx: Queries,
  caller: Caller,
  source: SourceFields,
): Promise<SourceAnswer> {
  const clientId = caller.kind === "connection" ? caller.clientId : null;
  const put = await putSource(tx, { shopId: caller.shopId, clientId }, source);
  const [shop] = await tx`SELECT directory.lock_shop(${caller.shopId}) AS locked`;
  if (!shop?.["locked"])
    throw clientId === null
      ? refusedCredential("unknown_api_key")
      : forbidden("unknown_connection");
  await requireAllowed(tx, caller);
  assert(put, "an upsert returned no row");
  return { status: put.isNew ? 201 : 200, body: JSON.stringify(put.source) };
}

/** @throws {ApiError} 403 or 401 by the caller's state */
async function requireAllowed(tx: Queries, caller: Caller): Promise<void> {
  const refused = refusalOf(await readCallerState(tx, caller, "sources:write"));
  if (refused) throw refused;
}
