import type { Caller } from "../authentication/caller.ts";
import { type Page, type PageMemory, type PageReader, readPage } from "../pagination/page-reader.ts";
import { type MovingList, walksOf } from "../position-memory/moving-list.ts";
import type { PositionMemory } from "../position-memory/position-memory.ts";
import type { DeletionParameters } from "./deletion-parameters.ts";
import { listDeletionsSql } from "./list-deletions.query.ts";

export interface DeletionsReader extends PageReader {
  readonly positions: PositionMemory;
}

/**
 * One page of deletions, in one round trip to Postgres.
 * @throws {ApiError} as for a page of responses
 */
export async function listDeletions(
  { database, positions }: DeletionsReader,
  caller: Caller,
  parameters: DeletionParameters,
  memory: PageMemory,
): Promise<Page | null> {
  const list = movingList(caller, parameters);
  const start = await positions.startOf(list);
  const statement = listDeletionsSql(caller, parameters, start.position);
  const page = await readPage({ database }, statement, parameters, memory);
  await positions.remember(list, start, page?.edges ?? null);
  return page;
}

/** A record moves in the list when it is imported again and deleted once more. */
function movingList(caller: Caller, { cursor, range }: DeletionParameters): MovingList {
  return { cursor, isAscending: cursor?.direction !== "backward", walks: walksOf(caller, "deleted_at_asc", range) };
}
