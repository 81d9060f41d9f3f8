import type { Caller } from "../authentication/caller.ts";
import { type Page, type PageReader, readPage } from "../pages/read-page.ts";
import type { CursorPositions } from "./cursor-positions.ts";
import type { ListParameters } from "./list-parameters.ts";
import { listResponsesSql } from "./list-responses.query.ts";

export interface ResponsesReader extends PageReader {
  readonly positions: CursorPositions;
}

/**
 * One page of responses, in one round trip to Postgres. `use` is as for `readPage`.
 * @throws {ApiError} 403 or 401 by the caller's state; then 400 for an unknown cursor
 */
export async function listResponses<Content>(
  reader: ResponsesReader,
  caller: Caller,
  parameters: ListParameters,
  use: (records: Buffer) => Content,
): Promise<Page<Content> | null> {
  const { positions } = reader;
  const served = await positions.recall(caller, parameters);
  const page = await readPage(reader, listResponsesSql(caller, parameters, served), caller, parameters, use);
  await positions.remember(caller, parameters, page?.edges ?? null);
  return page;
}
