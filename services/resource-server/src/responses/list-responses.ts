import { type Sql, within } from "@partner-connect/database";
import type { Caller } from "../authentication/caller.ts";
import { type Page, readPage } from "../pages/page.ts";
import type { ListParameters } from "./list-parameters.ts";
import { listResponsesSql } from "./list-responses.query.ts";
import type { Position } from "./way.ts";

/**
 * One page of responses, in one round trip.
 * @throws {ApiError} 403 or 401 by the caller's state; then 400 for an unknown cursor
 */
export async function listResponses(
  sql: Sql,
  timeout: number,
  caller: Caller,
  parameters: ListParameters,
  remembered: Position | null,
): Promise<Page> {
  const { text, values } = listResponsesSql(caller, parameters, remembered, Date.now());
  const rows = await within(timeout, sql.unsafe(text, values, { prepare: true }).raw());
  return readPage(rows, caller, parameters);
}
