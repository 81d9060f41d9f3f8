import type { Caller } from "../authentication/caller.ts";
import { type CallerState, refusal } from "../authorization/caller-state.ts";
import type { Statement } from "../authorization/statement.ts";
import type { Database } from "../stores/database.ts";
import type { PageEdges } from "./page-links.ts";
import { type PageParameters, unknownCursor } from "./parameters.ts";
import type { RecordWriter } from "./record-writer.ts";

export interface PageReader {
  readonly database: Database;
}

/**
 * Reads a page by its statement, whose answer is one column of text: a row of three letters (the caller's state;
 * whether the cursor is known; whether a record lies on the near side of the page), then the records in the order of
 * the scan, which is backwards with `ending_before`, and one more than the limit where there are more.
 *
 * The rows' bytes are in the connection's read buffer, so each goes to `writer` as it comes.
 * @returns the edges, null for an empty page
 * @throws {ApiError} 403 or 401 by the caller's state; then 400 for an unknown cursor
 */
export async function readPage(
  { database }: PageReader,
  { text, values }: Statement,
  caller: Caller,
  { cursor, limit }: PageParameters,
  writer: RecordWriter,
): Promise<PageEdges | null> {
  const backwards = cursor?.direction === "before";
  const reversed: Buffer[] = [];
  let head: string | undefined;
  let count = 0;
  let isOpen = true;
  const take = (record: Buffer): void => {
    // What comes too late has nowhere to go: its page was given up, and the memory may be another's.
    if (!isOpen) return;
    if (head === undefined) head = record.toString("latin1");
    else if (++count > limit) return;
    else if (backwards) reversed.push(Buffer.from(record));
    else writer.add(record);
  };
  try {
    await database.run((sql) => sql.unsafe(text, values, { prepare: true }).raw().forEach(takeFirst(take)));
  } finally {
    isOpen = false;
  }
  const [state, known, near] = head ?? "f";
  const refused = refusal(caller, state as CallerState);
  if (refused) throw refused;
  if (cursor && known !== "1") throw unknownCursor(cursor);

  for (const record of reversed.reverse()) writer.add(record);
  const edges = writer.edges();
  const more = count > limit;
  return edges && { ...edges, precedes: backwards ? more : near === "1", follows: backwards ? near === "1" : more };
}

/** A row of one column, as postgres.js has it without parsing. */
function takeFirst(take: (column: Buffer) => void): (row: readonly Buffer[]) => void {
  return ([column]) => {
    if (column) take(column);
  };
}
