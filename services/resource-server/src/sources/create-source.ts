import assert from "node:assert/strict";
import { transaction as inTransaction, type Sql } from "@partner-connect/database";
import type { Caller } from "../authentication/caller.ts";
import {
  type CallerState,
  callerStateStatement,
  refusal,
  Statement,
} from "../authorization/caller-state.query.ts";
import {
  type ClaimedRow,
  claimKeySql,
  deleteExpiredSql,
  type IdempotentRequest,
  keyReused,
  storeAnswerSql,
} from "./idempotency-key.query.ts";
import type { SourceFields } from "./new-source.ts";

export interface CreatedRow {
  /** False if this caller already had a source with this external id, which was updated. */
  readonly created: boolean;
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly external_id: string | null;
  readonly url: string | null;
  readonly aliases: readonly string[];
  readonly inserted_at: string;
  readonly updated_at: string;
}

/**
 * Upserts the source by the external id of this client or, for an API key, of the shop. Index:
 * sources_by_external_id.
 */
function createSourceSql(caller: Caller, source: SourceFields): Statement {
  const statement = new Statement();
  const clientId = caller.kind === "connection" ? caller.clientId : null;
  const values = [
    caller.shopId,
    clientId,
    source.externalId,
    source.name,
    source.type,
    source.url,
    [...source.aliases],
  ];
  statement.text = `INSERT INTO survey.sources (shop_id, client_id, external_id, name, type, url, aliases)
    VALUES (${values.map((value) => statement.bind(value)).join(", ")})
    ON CONFLICT (shop_id, client_id, external_id) WHERE external_id IS NOT NULL DO UPDATE
      SET name = excluded.name, type = excluded.type, url = excluded.url, aliases = excluded.aliases,
        updated_at = greatest(excluded.updated_at, sources.updated_at), number = NULL
    RETURNING old.id IS NULL AS created, new.id, new.name, new.type, new.external_id, new.url, new.aliases,
      survey.timestamp_text(new.inserted_at) AS inserted_at, survey.timestamp_text(new.updated_at) AS updated_at`;
  return statement;
}

/** 201 for a new source, 200 for an existing one. */
export interface SourceAnswer {
  readonly status: 200 | 201;
  readonly body: string;
}

export type Transaction = Pick<Sql, "unsafe">;

/** @throws {ApiError} 403 or 401 by the caller's state */
export async function createSource(
  sql: Sql,
  caller: Caller,
  source: SourceFields,
): Promise<SourceAnswer> {
  return await inTransaction(sql, (transaction) => writeSource(transaction, caller, source));
}

/**
 * Writes, then checks the caller, because the write may have waited for a lock. A refusal rolls
 * back. @throws {ApiError} 403, 401
 */
async function writeSource(
  sql: Transaction,
  caller: Caller,
  source: SourceFields,
): Promise<SourceAnswer> {
  const [row] = await run<CreatedRow[]>(sql, createSourceSql(caller, source));
  await requireAllowed(sql, caller);
  assert(row, "an upsert returned no row");
  const { created, ...record } = row;
  return { status: created ? 201 : 200, body: JSON.stringify(record) };
}

/** @throws {ApiError} 403 or 401 by the caller's state */
async function requireAllowed(sql: Transaction, caller: Caller): Promise<void> {
  const [row] = await run<{ state: CallerState }[]>(
    sql,
    callerStateStatement(caller, "sources:write"),
  );
  const refused = refusal(row?.state ?? "unknown_connection");
  if (refused) throw refused;
}

async function run<Rows extends readonly object[]>(
  sql: Transaction,
  { text, values }: Statement,
): Promise<Rows> {
  return (await sql.unsafe(text, values, { prepare: true })) as unknown as Rows;
}

/**
 * `createSource` once per idempotency key; a repeat waits, and gets the first response.
 * @throws {ApiError} 401, 403; 422: another body
 */
export async function createSourceOnce(
  sql: Sql,
  caller: Caller,
  source: SourceFields,
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
    if (claimed.status !== null && claimed.answer !== null)
      return { status: claimed.status, body: claimed.answer };
    const answer = await writeSource(transaction, caller, source);
    await run(transaction, storeAnswerSql(caller, request, answer));
    return answer;
  });
}
