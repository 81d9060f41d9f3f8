import type { Caller } from "../authentication/caller.ts";
import { type Page, type PageMemory, type PageReader, readPage } from "../pagination/page-reader.ts";
import type { PositionMemory } from "../position-memory/position-memory.ts";
import { listResponsesSql } from "./list-query/list-responses.query.ts";
import type { PageListing } from "./listing.ts";
import { movingList } from "./moving-list.ts";

export interface ResponsesReader extends PageReader {
  readonly positions: PositionMemory;
}

/**
 * One page of responses, in one round trip to Postgres.
 * @param memory as for `readPage`
 * @throws {ApiError} 403 or 401 by the caller's state; then 400 for an unknown cursor; 503 where a memory is needed and away
 */
export async function listResponses(
  reader: ResponsesReader,
  caller: Caller,
  { parameters, start: starting }: PageListing,
  memory: PageMemory,
): Promise<Page | null> {
  const start = await starting;
  const page = await readPage(reader, listResponsesSql(caller, parameters, start.position), parameters, memory);
  await reader.positions.remember(movingList(caller, parameters), start, page?.edges ?? null);
  return page;
}
