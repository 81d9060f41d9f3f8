import type { Queries } from "@partner-connect/database";
import type { Caller } from "../../authentication/caller.ts";
import { type CallerState, callerStateSql } from "../../authorization/caller-state.query.ts";
import { Statement } from "../../authorization/statement.ts";

/**
 * Two columns: the caller's `state`, and `stamp`, the newest of the shop's records or null: each change of them takes a later one
 * (packages/survey-data, take-stamp.ts). Index: stamps_pkey.
 */
export function stateAndStampSql(caller: Caller, statement: Statement, shop: string): string {
  const state = callerStateSql(caller, "responses:read", statement, shop);
  return `SELECT ${state} AS state,
    (SELECT stamp::text FROM survey.stamps WHERE shop_id = ${shop}) AS stamp`;
}

/** The table from which every list's statement learns whether the caller may call, and which changes it sees: one row. */
export function callerTable(caller: Caller, statement: Statement, shop: string): string {
  return `caller AS MATERIALIZED (${stateAndStampSql(caller, statement, shop)})`;
}

export interface StateAndStamp {
  readonly state: CallerState;
  readonly stamp: string | null;
}

export function stateAndStampStatement(caller: Caller): Statement {
  const statement = new Statement();
  statement.text = stateAndStampSql(caller, statement, statement.bind(caller.shopId));
  return statement;
}

export async function readStateAndStamp(sql: Queries, caller: Caller): Promise<StateAndStamp> {
  const { text, values } = stateAndStampStatement(caller);
  const [row] = await sql.unsafe<StateAndStamp[]>(text, values, { prepare: true });
  return row ?? { state: "unknown_connection", stamp: null };
}
