import assert from "node:assert/strict";
import { transaction as inTransaction, type Sql } from "@partner-connect/database";
import type { Caller } from "../authentication/caller.ts";
import { requireAllowed, run, type SourceAnswer, writeSource } from "./create-source.ts";
import { type ClaimedRow, claimKeySql, deleteExpiredSql, keepAnswerSql } from "./idempotency-key.query.ts";
import { type IdempotentRequest, keyReused } from "./idempotent-request.ts";
import type { NewSource } from "./source.ts";

/**
 * Calls `createSource` once per idempotency key; a repeated request waits, and gets the first answer. @throws {ApiError} 403 or 401 by the
 * caller's state, 422 if the key was used for another body
 */
export async function createSourceOnce(
  sql: Sql,
  caller: Caller,
  source: NewSource,
  request: IdempotentRequest,
): Promise<SourceAnswer> {
  return await inTransaction(sql, async (transaction) => {
    const [[claimed]] = await Promise.all([
      run<ClaimedRow[]>(transaction, claimKeySql(caller, request)),
      run(transaction, deleteExpiredSql(caller)),
      requireAllowed(transaction, caller),
    ]);
    assert(claimed, "an upsert returned no row");
    if (!claimed.body_hash.equals(request.bodyHash)) throw keyReused();
    if (claimed.status !== null && claimed.answer !== null) return { status: claimed.status, body: claimed.answer };
    const answer = await writeSource(transaction, caller, source);
    await run(transaction, keepAnswerSql(caller, request, answer));
    return answer;
  });
}
