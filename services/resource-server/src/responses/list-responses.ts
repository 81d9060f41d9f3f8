import { type Sql, within } from "@partner-connect/database";
import type { Caller } from "../authentication/caller.ts";
import { type Page, readPage } from "../pages/page.ts";
import type { CursorPositions } from "./cursor-positions.ts";
import type { ListParameters } from "./list-parameters.ts";
import { listResponsesSql } from "./list-responses.query.ts";

export interface ResponsesReader {
  readonly sql: Sql;
  /** Milliseconds. */
  readonly databaseTimeout: number;
  readonly positions: CursorPositions;
}

/**
 * One page of responses, in one round trip to Postgres.
 * @throws {ApiError} 403 or 401 by the caller's state; then 400 for an unknown cursor
 */
export async function listResponses(
  { sql, databaseTimeout, positions }: ResponsesReader,
  caller: Caller,
  parameters: ListParameters,
): Promise<Page> {
  const at = await positions.recall(caller, parameters);
  const remembered = at === null || !parameters.cursor ? null : { at, id: parameters.cursor.id };
  const { text, values } = listResponsesSql(caller, parameters, remembered);
  const rows = await within(databaseTimeout, sql.unsafe(text, values, { prepare: true }).raw());
  const page = readPage(rows, caller, parameters);
  await positions.remember(caller, parameters, page.edges);
  return page;
}
