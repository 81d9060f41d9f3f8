import { type Sql, within } from "@partner-connect/database";
import type { Caller } from "../authentication/caller.ts";
import { type Page, readPage } from "../pages/page.ts";
import type { CursorPositions } from "./cursor-positions.ts";
import type { ListParameters } from "./list-parameters.ts";
import { listResponsesSql } from "./list-responses.query.ts";
import type { Position } from "./way.ts";

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
  reader: ResponsesReader,
  caller: Caller,
  parameters: ListParameters,
): Promise<Page> {
  const { positions } = reader;
  const page = await readResponses(reader, caller, parameters, await positions.recall(caller, parameters));
  await positions.remember(caller, parameters, page.edges);
  return page;
}

/** The same, going on from where the cursor's record stood when it was served; null: from where it stands. */
export async function readResponses(
  { sql, databaseTimeout }: ResponsesReader,
  caller: Caller,
  parameters: ListParameters,
  served: Position | null,
): Promise<Page> {
  const { text, values } = listResponsesSql(caller, parameters, served);
  const rows = await within(databaseTimeout, sql.unsafe(text, values, { prepare: true }).raw());
  return readPage(rows, caller, parameters);
}
