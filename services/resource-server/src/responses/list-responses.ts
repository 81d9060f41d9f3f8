import { type Sql, within } from "@partner-connect/database";
import type { Caller } from "../authentication/caller.ts";
import { type CallerState, refusal } from "../authorization/caller-state.ts";
import { type ListParameters, unknownCursor } from "./list-parameters.ts";
import { listResponsesSql, type Position } from "./list-responses.query.ts";
import type { PageEdges } from "./page-links.ts";

export interface Page {
  /** The records as compact JSON text, in the order of the sort. */
  readonly records: readonly Buffer[];
  readonly edges: PageEdges | null;
}

/**
 * One page, in one round trip.
 * @throws {ApiError} 403 or 401 by the caller's state; then 400 for an unknown cursor
 */
export async function listResponses(
  sql: Sql,
  timeout: number,
  caller: Caller,
  parameters: ListParameters,
  remembered: Position | null,
): Promise<Page> {
  const { text, values } = listResponsesSql(caller, parameters, remembered);
  const rows = await within(timeout, sql.unsafe(text, values, { prepare: true }).raw());
  const [state, known, near] = String(rows[0]?.[0]);
  const refused = refusal(caller, state as CallerState);
  if (refused) throw refused;
  const { cursor, limit } = parameters;
  if (cursor && known !== "1") throw unknownCursor(cursor.direction);

  const more = rows.length - 1 > limit;
  const records = rows.slice(1, limit + 1).map(([doc]) => doc as Buffer);
  const backwards = cursor?.direction === "before";
  if (backwards) records.reverse();
  const [first] = records;
  const last = records.at(-1);
  if (!first || !last) return { records, edges: null };
  return {
    records,
    edges: {
      first: idOf(first),
      last: idOf(last),
      precedes: backwards ? more : near === "1",
      follows: backwards ? near === "1" : more,
    },
  };
}

function idOf(record: Buffer): string {
  return (JSON.parse(record.toString()) as { id: string }).id;
}
