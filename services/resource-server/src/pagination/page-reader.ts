import assert from "node:assert/strict";
import type { LentRow } from "@partner-connect/database";
import { type CallerState, refusal } from "../authorization/caller-state.ts";
import type { Statement } from "../authorization/statement.ts";
import type { Database } from "../stores/database.ts";
import { edgesOf, reverse, SEPARATOR_LENGTH, SEPARATOR_SQL, withoutLast } from "./joined-records.ts";
import { type PageParameters, unknownCursor } from "./page-parameters.ts";
import type { PageEdges } from "./prev-next-links.ts";

export interface PageReader {
  readonly database: Database;
}

/** A page that has records. */
export interface Page {
  readonly edges: PageEdges;
  readonly count: number;
  /** In the order of the list, with a comma and a line break between them. */
  readonly records: Buffer;
}

/** The memory that a shop's page is read into. */
export interface PageMemory {
  readonly shopId: string;
  /** Bytes that the page will have, about: large pages have a connection of their own. */
  readonly expected: number;
  /**
   * @param size the bytes that Postgres sends, with one record more than the page has where there are more
   * @param shown about how many of them the page keeps
   * @returns a buffer of `size` bytes
   */
  readonly allocate: (size: number, shown: number) => Buffer;
}

/** What the statement of a page is made of. */
export interface PageQuery {
  /** What the conditions read from, `caller` with its `state` among it: one row. */
  readonly from: string;
  /** A condition: the cursor is the id of a record that this shop has or had. */
  readonly cursorKnown: string;
  /** A condition: a record precedes the page, in the order in which it is read: backward with `ending_before`. */
  readonly hasPrevious: string;
  /** A query of one column `doc`: the records in the order in which they are read, and one more than the limit where there are more. */
  readonly records: string;
  /** `mostBytes` of the page's parameters, as a value of the statement. */
  readonly mostBytes?: string | undefined;
}

/**
 * The end of a page's statement, as {@link readPage} takes it: one row. Postgres joins the records, as a row for each costs it
 * a message, and a reader an object. It reads none unless the caller may call. Every column is text, as Postgres then sends
 * the row as it stands (patches/postgres/09-raw-text-in-binary.patch).
 */
export function pageSql({ from, cursorKnown, hasPrevious, records, mostBytes }: PageQuery): string {
  return `SELECT state, (${cursorKnown})::text AS cursor_known, (${hasPrevious})::text AS has_previous, count::text AS count, records
FROM ${from} CROSS JOIN (
  SELECT count(*) AS count, string_agg(doc, ${SEPARATOR_SQL}) AS records FROM (
${mostBytes === undefined ? records : upToBytes(records, mostBytes)}) record
  WHERE (SELECT state FROM caller) = 'allowed') page`;
}

/** The records up to the one with which they have so many bytes. The length of a document is known without reading it. */
function upToBytes(records: string, mostBytes: string): string {
  return `SELECT doc FROM (
SELECT doc, sum(octet_length(doc) + ${SEPARATOR_LENGTH}) OVER (ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS bytes_before FROM (
${records}) r) r
WHERE coalesce(bytes_before, 0) < ${mostBytes}::bigint`;
}

/**
 * Reads a page by its statement, which ends in {@link pageSql}, and copies its records.
 * @returns null for an empty page
 * @throws {ApiError} 403 or 401 by the caller's state; then 400 for an unknown cursor; then what `memory` throws
 */
export async function readPage(
  { database }: PageReader,
  statement: Statement,
  { cursor, limit, mostBytes = Number.POSITIVE_INFINITY }: PageParameters,
  memory: PageMemory,
): Promise<Page | null> {
  const readFrom = (row: LentRow): Page | null => {
    const refused = refusal(row.text("state") as CallerState);
    if (refused) throw refused;
    if (cursor && row.text("cursor_known") !== "true") throw unknownCursor(cursor);
    const size = row.size("records");
    if (size === null) return null;
    const count = Number(row.text("count"));
    // The record that comes after the last one of the page.
    const hasMore = count > limit || size + SEPARATOR_LENGTH >= mostBytes;
    const hasPrevious = row.text("has_previous") === "true";
    const joined = memory.allocate(size, hasMore ? Math.round((size * (count - 1)) / count) : size);
    row.copyInto("records", joined);
    const records = hasMore ? withoutLast(joined) : joined;
    const isBackward = cursor?.direction === "backward";
    if (isBackward) reverse(records);
    const [precedes, follows] = isBackward ? [hasMore, hasPrevious] : [hasPrevious, hasMore];
    return { edges: { ...edgesOf(records), precedes, follows }, count: hasMore ? count - 1 : count, records };
  };
  const page = await database.readRow(memory.shopId, statement, readFrom, memory.expected);
  assert(page !== undefined, "the statement of a page returned no row");
  return page;
}
