import assert from "node:assert/strict";
import { transaction as inTransaction, type Sql } from "@partner-connect/database";
import type { Caller } from "../authentication/caller.ts";
import { type CallerState, callerStateStatement, refusal } from "../authorization/caller-state.query.ts";
import type { Statement } from "../authorization/statement.ts";
import { type CreatedRow, createSourceSql } from "./create-source.query.ts";
import type { NewSource } from "./source.ts";

/** 201 for a new source, 200 for an existing one. */
export interface SourceAnswer {
  readonly status: 200 | 201;
  readonly body: string;
}

export type Transaction = Pick<Sql, "unsafe">;

/** @throws {ApiError} 403 or 401 by the caller's state */
export async function createSource(sql: Sql, caller: Caller, source: NewSource): Promise<SourceAnswer> {
  return await inTransaction(sql, (transaction) => writeSource(transaction, caller, source));
}

/**
 * Writes, then checks the caller's state, because the write may have waited for a lock. A refusal rolls back. @throws {ApiError} 403 or 401
 * by the caller's state
 */
export async function writeSource(sql: Transaction, caller: Caller, source: NewSource): Promise<SourceAnswer> {
  const [row] = await run<CreatedRow[]>(sql, createSourceSql(caller, source));
  await requireAllowed(sql, caller);
  assert(row, "an upsert returned no row");
  const { created, ...record } = row;
  return { status: created ? 201 : 200, body: JSON.stringify(record) };
}

/** @throws {ApiError} 403 or 401 by the caller's state */
export async function requireAllowed(sql: Transaction, caller: Caller): Promise<void> {
  const [row] = await run<{ state: CallerState }[]>(sql, callerStateStatement(caller, "sources:write"));
  const refused = refusal(row?.state ?? "unknown_connection");
  if (refused) throw refused;
}

export async function run<Rows extends readonly object[]>(
  sql: Transaction,
  { text, values }: Statement,
): Promise<Rows> {
  return (await sql.unsafe(text, values, { prepare: true })) as unknown as Rows;
}
