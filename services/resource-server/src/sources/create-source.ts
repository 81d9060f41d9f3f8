import assert from "node:assert/strict";
import { transaction as inTransaction, type Sql } from "@partner-connect/database";
import type { Caller } from "../authentication/caller.ts";
import { callerStateStatement } from "../authorization/caller-state.query.ts";
import { type CallerState, refusal } from "../authorization/caller-state.ts";
import type { Statement } from "../authorization/statement.ts";
import { type CreatedRow, createSourceSql } from "./create-source.query.ts";
import { type ClaimedRow, claimKeySql, deleteExpiredSql, keepAnswerSql } from "./idempotency-key.query.ts";
import { type IdempotentRequest, keyReused } from "./idempotency-key.ts";
import type { NewSource } from "./source.ts";

/** The answer to a POST: 201 for a new source, 200 for one that was there. */
export interface SourceAnswer {
  readonly status: 200 | 201;
  /** JSON text. */
  readonly body: string;
}

type Transaction = Pick<Sql, "unsafe">;

/** @throws {ApiError} 403 or 401 by the caller's state */
export async function createSource(sql: Sql, caller: Caller, source: NewSource): Promise<SourceAnswer> {
  return await inTransaction(sql, (transaction) => writeSource(transaction, caller, source));
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
    // Sent together. The caller is judged once the key is ours: before a refusal of the key, and before an answer that is kept.
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

/**
 * Sent together: the write, and then the judgement of its caller, as the write may have waited for a lock. A refusal takes the write
 * back. These are two statements: on Citus, one that reads the one and writes the other needs every node.
 * @throws {ApiError} 403 or 401 by the caller's state
 */
async function writeSource(sql: Transaction, caller: Caller, source: NewSource): Promise<SourceAnswer> {
  const [[row]] = await Promise.all([
    run<CreatedRow[]>(sql, createSourceSql(caller.shopId, source)),
    requireAllowed(sql, caller),
  ]);
  assert(row, "an upsert returned no row");
  const { created, ...record } = row;
  return { status: created ? 201 : 200, body: JSON.stringify(record) };
}

async function requireAllowed(sql: Transaction, caller: Caller): Promise<void> {
  const [row] = await run<{ state: CallerState }[]>(sql, callerStateStatement(caller, "sources:write"));
  const refused = refusal(row?.state ?? "unknown_connection");
  if (refused) throw refused;
}

async function run<Rows extends readonly object[]>(sql: Transaction, { text, values }: Statement): Promise<Rows> {
  return (await sql.unsafe(text, values, { prepare: true })) as unknown as Rows;
}
