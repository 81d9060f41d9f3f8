import type { Caller } from "../authentication/caller.ts";
import { type CallerState, refusal } from "../authorization/caller-state.ts";
import type { Edge, PageEdges } from "./page-links.ts";
import { type PageParameters, unknownCursor } from "./parameters.ts";

export interface Page {
  /** The records as compact JSON text, in the order of the list. */
  readonly records: readonly Buffer[];
  /** Null when the page is empty. */
  readonly edges: PageEdges | null;
}

/**
 * The page in the answer of a list's statement, which is one column of text: a row of three letters (the caller's
 * state; whether the cursor is known; whether a record lies on the near side of the page), then the records in the
 * order of the scan, which is backwards with `ending_before`, and one more than the limit where there are more.
 * @throws {ApiError} 403 or 401 by the caller's state; then 400 for an unknown cursor
 */
export function readPage(rows: readonly (readonly Buffer[])[], caller: Caller, parameters: PageParameters): Page {
  const [state, known, near] = String(rows[0]?.[0]);
  const refused = refusal(caller, state as CallerState);
  if (refused) throw refused;
  const { cursor, limit } = parameters;
  if (cursor && known !== "1") throw unknownCursor(cursor);

  const more = rows.length - 1 > limit;
  const records = rows.slice(1, limit + 1).flat();
  const backwards = cursor?.direction === "before";
  if (backwards) records.reverse();
  const [first] = records;
  const last = records.at(-1);
  if (!first || !last) return { records, edges: null };
  return {
    records,
    edges: {
      first: edgeOf(first),
      last: edgeOf(last),
      precedes: backwards ? more : near === "1",
      follows: backwards ? near === "1" : more,
    },
  };
}

function edgeOf(record: Buffer): Edge {
  const { id, inserted_at, updated_at } = JSON.parse(record.toString()) as EdgeRecord;
  return { id: String(id), insertedAt: inserted_at, updatedAt: updated_at };
}

interface EdgeRecord {
  readonly id: string | number;
  readonly inserted_at: string;
  readonly updated_at: string;
}
