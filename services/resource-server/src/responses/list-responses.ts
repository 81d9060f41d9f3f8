import type { Caller } from "../authentication/caller.ts";
import { type Page, type PageReader, readPage } from "../pagination/page-reader.ts";
import type { ListParameters } from "./list-parameters.ts";
import { listResponsesSql } from "./list-query/list-responses.query.ts";
import type { CursorPositions, Start } from "./position-memory/position-memory.ts";

export interface ResponsesReader extends PageReader {
  readonly positions: CursorPositions;
}

/** What a caller asks for. */
export interface Listing {
  readonly parameters: ListParameters;
  /** As {@link CursorPositions} says it. */
  readonly start: Promise<Start>;
}

/**
 * One page of responses, in one round trip to Postgres. `use` is as for `readPage`.
 * @throws {ApiError} 403 or 401 by the caller's state; then 400 for an unknown cursor; 503 where a memory is needed and away
 */
export async function listResponses<Content>(
  reader: ResponsesReader,
  caller: Caller,
  { parameters, start: starting }: Listing,
  use: (records: Buffer) => Content,
): Promise<Page<Content> | null> {
  const start = await starting;
  const page = await readPage(reader, listResponsesSql(caller, parameters, start.place), caller, parameters, use);
  await reader.positions.remember(caller, parameters, start, page?.edges ?? null);
  return page;
}
