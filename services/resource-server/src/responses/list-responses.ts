import type { Caller } from "../authentication/caller.ts";
import { type Page, type PageReader, readPage } from "../pages/read-page.ts";
import type { CursorPositions } from "./cursor-positions.ts";
import type { ListParameters } from "./list-parameters.ts";
import { listResponsesSql } from "./list-responses.query.ts";
import type { Position } from "./way.ts";

export interface ResponsesReader extends PageReader {
  readonly positions: CursorPositions;
}

/** What a caller asks for. */
export interface Listing {
  readonly parameters: ListParameters;
  /** Where the cursor's record stood when this caller was shown it, as {@link CursorPositions} recalls it. */
  readonly served: Promise<Position | null>;
}

/**
 * One page of responses, in one round trip to Postgres. `use` is as for `readPage`.
 * @throws {ApiError} 403 or 401 by the caller's state; then 400 for an unknown cursor
 */
export async function listResponses<Content>(
  reader: ResponsesReader,
  caller: Caller,
  { parameters, served }: Listing,
  use: (records: Buffer) => Content,
): Promise<Page<Content> | null> {
  const page = await readPage(reader, listResponsesSql(caller, parameters, await served), caller, parameters, use);
  await reader.positions.remember(caller, parameters, page?.edges ?? null);
  return page;
}
