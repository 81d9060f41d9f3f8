import type { Caller } from "../authentication/caller.ts";
import type { PageEdges } from "../pages/page-links.ts";
import { type PageReader, readPage } from "../pages/read-page.ts";
import type { RecordWriter } from "../pages/record-writer.ts";
import type { CursorPositions } from "./cursor-positions.ts";
import type { ListParameters } from "./list-parameters.ts";
import { listResponsesSql } from "./list-responses.query.ts";

export interface ResponsesReader extends PageReader {
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
  writer: RecordWriter,
): Promise<PageEdges | null> {
  const { positions } = reader;
  const served = await positions.recall(caller, parameters);
  const edges = await readPage(reader, listResponsesSql(caller, parameters, served), caller, parameters, writer);
  await positions.remember(caller, parameters, edges);
  return edges;
}
