import { transaction as inTransaction, type Sql } from "@partner-connect/database";
import type { Caller } from "../authentication/caller.ts";
import { type CallerState, refusal } from "../authorization/caller-state.ts";
import { type CreatedRow, createSourceSql } from "./create-source.query.ts";
import { type ClaimedRow, claimKeySql, keepAnswerSql } from "./idempotency-key.query.ts";
import { type IdempotentRequest, keyReused } from "./idempotency-key.ts";
import type { NewSource } from "./source.ts";

/** The answer to a POST: 201 for a new source, 200 for one that was there. */
export interface SourceAnswer {
  readonly status: 200 | 201;
  /** JSON text. */
  readonly body: string;
}

/** The pool, or a transaction. */
type Runner = Pick<Sql, "unsafe">;

/** @throws {ApiError} 403 or 401 by the caller's state */
export async function createSource(sql: Runner, caller: Caller, source: NewSource): Promise<SourceAnswer> {
  const { text, values } = createSourceSql(caller, source);
  const [row] = await sql.unsafe<CreatedRow[]>(text, values, { prepare: true });
  requireAllowed(row);
  return { status: row.created ? 201 : 200, body: row.record };
}

/**
 * The same, once for each idempotency key. A repeated request gets the answer of the first one; if that is still under way,
 * it waits. Key and source are committed together.
 * @throws {ApiError} 403 or 401 by the caller's state, 422 when the key was used for another body
 */
export async function createSourceOnce(
  sql: Sql,
  caller: Caller,
  source: NewSource,
  request: IdempotentRequest,
): Promise<SourceAnswer> {
  return await inTransaction(sql, async (transaction) => {
    const claim = claimKeySql(caller, request);
    const [claimed] = await transaction.unsafe<ClaimedRow[]>(claim.text, claim.values, { prepare: true });
    requireAllowed(claimed);
    if (!claimed.body_hash?.equals(request.bodyHash)) throw keyReused();
    if (claimed.status !== null && claimed.answer !== null) return { status: claimed.status, body: claimed.answer };
    const answer = await createSource(transaction, caller, source);
    const keep = keepAnswerSql(caller, request, answer);
    await transaction.unsafe(keep.text, keep.values, { prepare: true });
    return answer;
  });
}

/** @throws {ApiError} 403 or 401 by the caller's state */
function requireAllowed<Row extends { readonly state: string }>(row: Row | undefined): asserts row is Row {
  const refused = refusal((row?.state ?? "unknown_connection") as CallerState);
  if (refused) throw refused;
}
