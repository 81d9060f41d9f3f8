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

/** The pool, or a transaction. */
type Runner = Pick<Sql, "unsafe">;

/** @throws {ApiError} 403 or 401 by the caller's state */
export async function createSource(sql: Runner, caller: Caller, source: NewSource): Promise<SourceAnswer> {
  await requireAllowed(sql, caller);
  return await writeSource(sql, caller, source);
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
    // Sent together. The caller is judged once the key is ours, however long that took; a refusal takes all back.
    const [[claimed]] = await Promise.all([
      run<ClaimedRow[]>(transaction, claimKeySql(caller, request)),
      run(transaction, deleteExpiredSql(caller)),
      requireAllowed(transaction, caller),
    ]);
    if (!claimed) throw new Error("an upsert returned no row");
    if (!claimed.body_hash.equals(request.bodyHash)) throw keyReused();
    if (claimed.status !== null && claimed.answer !== null) return { status: claimed.status, body: claimed.answer };
    const answer = await writeSource(transaction, caller, source);
    await run(transaction, keepAnswerSql(caller, request, answer));
    return answer;
  });
}

async function writeSource(sql: Runner, { shopId }: Caller, source: NewSource): Promise<SourceAnswer> {
  const [row] = await run<CreatedRow[]>(sql, createSourceSql(shopId, source));
  if (!row) throw new Error("an upsert returned no row");
  const { created, ...record } = row;
  return { status: created ? 201 : 200, body: JSON.stringify(record) };
}

/**
 * A statement of its own before what is written: on Citus, one that reads the one and writes the other needs every node.
 * @throws {ApiError} 403 or 401 by the caller's state
 */
async function requireAllowed(sql: Runner, caller: Caller): Promise<void> {
  const [row] = await run<{ state: CallerState }[]>(sql, callerStateStatement(caller, "sources:write"));
  const refused = refusal(row?.state ?? "unknown_connection");
  if (refused) throw refused;
}

async function run<Rows extends readonly object[]>(sql: Runner, { text, values }: Statement): Promise<Rows> {
  return (await sql.unsafe(text, values, { prepare: true })) as unknown as Rows;
}
