import type { Caller } from "../authentication/caller.ts";
import { type CallerState, refusal } from "../authorization/caller-state.ts";
import type { Statement } from "../authorization/statement.ts";
import type { Database } from "../stores/database.ts";
import { edgesOf, inReverse, SEPARATOR_SQL, withoutLast } from "./joined-records.ts";
import { type PageParameters, unknownCursor } from "./page-parameters.ts";
import type { PageEdges } from "./prev-next-links.ts";

export interface PageReader {
  readonly database: Database;
}

/** A page that has records, and what the caller made of them. */
export interface Page<Content> {
  readonly edges: PageEdges;
  readonly content: Content;
}

/**
 * The end of a page's statement, as {@link readPage} takes it: one row of `head`, the caller's state and what is known of
 * the cursor in three letters and then how many records there are, and `records`, all of them joined. One row costs
 * Postgres less to send, and a reader less to take, than one for each record.
 * @param head an expression, with what it reads from: the caller's state; whether the cursor is known; whether a record
 * lies on the near side of the page
 * @param page a query of one column `doc`: the records in the order of the scan, which is backwards with
 * `ending_before`, and one more than the limit where there are more. Nothing is read unless the caller's state is 'k'.
 */
export function pageSql(head: string, from: string, page: string): string {
  return `SELECT ${head} || count AS head, records FROM ${from}
    CROSS JOIN (SELECT count(*) AS count, string_agg(doc, ${SEPARATOR_SQL}) AS records
      FROM (${page}) record WHERE (SELECT state FROM caller) = 'k') page`;
}

/**
 * Reads a page by its statement, made of {@link pageSql}.
 *
 * @param use makes what is wanted of the page's records, joined in the order of the list. Their bytes are in the
 * connection's read buffer, and another's after the call.
 * @returns null for an empty page
 * @throws {ApiError} 403 or 401 by the caller's state; then 400 for an unknown cursor
 */
export async function readPage<Content>(
  { database }: PageReader,
  { text, values }: Statement,
  caller: Caller,
  { cursor, limit }: PageParameters,
  use: (records: Buffer) => Content,
): Promise<Page<Content> | null> {
  const backwards = cursor?.direction === "before";
  let head = "f";
  let page: Page<Content> | null = null;
  let isOpen = true;
  const take = ([first, joined]: readonly (Buffer | null)[]): void => {
    // What comes too late has nowhere to go: its page was given up, and nobody would give its memory back.
    if (!isOpen || !first) return;
    head = first.toString("latin1");
    if (!joined) return;
    const isNear = head[2] === "1";
    const isMore = Number(head.slice(3)) > limit;
    const scanned = isMore ? withoutLast(joined) : joined;
    const records = backwards ? inReverse(scanned) : scanned;
    const [precedes, follows] = backwards ? [isMore, isNear] : [isNear, isMore];
    page = { edges: { ...edgesOf(records), precedes, follows }, content: use(records) };
  };
  try {
    await database.run((sql) => sql.unsafe(text, values, { prepare: true }).raw().forEach(take));
  } finally {
    isOpen = false;
  }
  const refused = refusal(caller, head[0] as CallerState);
  if (refused) throw refused;
  if (cursor && head[1] !== "1") throw unknownCursor(cursor);
  return page;
}
