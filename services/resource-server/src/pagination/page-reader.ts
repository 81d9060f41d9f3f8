import assert from "node:assert/strict";
import { type CallerState, refusal } from "../authorization/caller-state.query.ts";
import type { Statement } from "../authorization/statement.ts";
import type { Database } from "../stores/database.ts";
import { edgesOf, reverse, SEPARATOR_LENGTH, SEPARATOR_SQL, withoutLast } from "./joined-records.ts";
import { type PageParameters, unknownCursor } from "./limit-and-cursor.ts";
import type { PageEdges } from "./prev-next-links.ts";

export interface PageRecords {
  /** In the order of the list, with a comma and a line break between them. */
  readonly records: Buffer;
  readonly edges: PageEdges;
  readonly count: number;
}

export interface PageReading {
  readonly shopId: string;
  readonly statement: Statement;
  readonly parameters: PageParameters;
  /** Bytes that the page will have, about: large pages have a connection of their own. */
  readonly expected: number;
  /** Memory of this number of bytes, for the records and one more where more follow. Not asked for an empty page. */
  readonly allocate: (size: number) => Buffer;
}

export interface PageQuery {
  /** What the conditions read from, {@link callerTable} among it: one row. */
  readonly from: string;
  /** A condition: the cursor is the id of a record that this shop has or had. */
  readonly cursorKnown: string;
  /** A condition: a record precedes the page, in the order in which it is read: backward with `ending_before`. */
  readonly hasPrevious: string;
  /** A query of one column `doc`: the records in the order in which they are read, and one more than the limit where there are more. */
  readonly records: string;
  readonly mostBytes?: string | undefined;
}

/**
 * The end of a page's statement, as {@link readPage} takes it: one row of text, which Postgres sends as it stands
 * (patches/postgres/06-raw-text-in-binary.patch). Postgres joins the records, and reads none unless the caller may call.
 */
export function pageSql({ from, cursorKnown, hasPrevious, records, mostBytes }: PageQuery): string {
  return `SELECT state, (${cursorKnown})::text AS cursor_known, (${hasPrevious})::text AS has_previous, count::text AS count, records
FROM ${from} CROSS JOIN (
  SELECT count(*) AS count, string_agg(doc, ${SEPARATOR_SQL}) AS records FROM (
${mostBytes === undefined ? records : upToBytes(records, mostBytes)}) record
  WHERE (SELECT state FROM caller) = 'allowed') page`;
}

/** The records up to the one with which they reach `mostBytes`. The length of a document is known without reading it. */
function upToBytes(records: string, mostBytes: string): string {
  return `SELECT doc FROM (
SELECT doc, sum(octet_length(doc) + ${SEPARATOR_LENGTH}) OVER (ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS bytes_before FROM (
${records}) r) r
WHERE coalesce(bytes_before, 0) < ${mostBytes}::bigint`;
}

/**
 * Reads a page and copies its records; null if it is empty. @throws {ApiError} 403 or 401 by the caller's state, 400 for an unknown cursor, what `allocate`
 * throws
 */
export async function readPage(database: Database, reading: PageReading): Promise<PageRecords | null> {
  const { shopId, statement, parameters, expected, allocate } = reading;
  const row = await database.readRow(shopId, statement, expected);
  assert(row !== undefined, "the statement of a page returned no row");
  const [state, cursorKnown, hasPrevious, count, records] = row;
  const refused = refusal(String(state) as CallerState);
  if (refused) throw refused;
  if (parameters.cursor && String(cursorKnown) !== "true") throw unknownCursor(parameters.cursor);
  if (!records) return null;
  const joined = allocate(records.length);
  records.copy(joined);
  return recordsOf(joined, Number(count), String(hasPrevious) === "true", parameters);
}

/** The records that were read, without the one that only says that more follow, and in the order of the list. */
function recordsOf(
  joined: Buffer,
  count: number,
  hasPrevious: boolean,
  { cursor, limit, mostBytes = Number.POSITIVE_INFINITY }: PageParameters,
): PageRecords {
  const hasMore = count > limit || joined.length + SEPARATOR_LENGTH >= mostBytes;
  const records = hasMore ? withoutLast(joined) : joined;
  const isBackward = cursor?.direction === "backward";
  if (isBackward) reverse(records);
  const [precedes, follows] = isBackward ? [hasMore, hasPrevious] : [hasPrevious, hasMore];
  return { records, edges: { ...edgesOf(records), precedes, follows }, count: hasMore ? count - 1 : count };
}
