import assert from "node:assert/strict";
import type { Queries } from "@partner-connect/database";
import type { FastifyReply, FastifyRequest } from "fastify";
import { type CallerState, refusal } from "../authorization/caller-state.query.ts";
import type { Statement } from "../authorization/statement.ts";
import { chooseCoding, compress } from "../http/content-coding.ts";
import type { Usage } from "../usage/usage.ts";
import { type PageParameters, unknownCursor } from "./limit-and-cursor.ts";
import { type Edge, type PageEdges, pageLinks } from "./prev-next-links.ts";

export interface Page {
  readonly parameters: PageParameters;
  /** In the order of the list, with {@link SEPARATOR} between them. */
  readonly records: Buffer;
  /** Null: it is empty. */
  readonly edges: PageEdges | null;
  readonly count: number;
}

/** What the database puts between two records. Its line break is in no record: a constraint holds that. */
const SEPARATOR = ",\n";

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
 * The end of a page's statement, as {@link Pages.read} takes it: one row of text, which Postgres sends as it stands
 * (patches/postgres/06-raw-text-in-binary.patch). Postgres joins the records, and reads none unless the caller may call.
 */
export function pageSql({ from, cursorKnown, hasPrevious, records, mostBytes }: PageQuery): string {
  return `SELECT state, (${cursorKnown})::text AS cursor_known, (${hasPrevious})::text AS has_previous, count::text AS count, records
FROM ${from} CROSS JOIN (
  SELECT count(*) AS count, string_agg(doc, E',\\n') AS records FROM (
${mostBytes === undefined ? records : upToBytes(records, mostBytes)}) record
  WHERE (SELECT state FROM caller) = 'allowed') page`;
}

/** The records up to the one with which they reach `mostBytes`. The length of a document is known without reading it. */
function upToBytes(records: string, mostBytes: string): string {
  return `SELECT doc FROM (
SELECT doc, sum(octet_length(doc) + ${SEPARATOR.length}) OVER (ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS bytes_before FROM (
${records}) r) r
WHERE coalesce(bytes_before, 0) < ${mostBytes}::bigint`;
}

const OPENING = Buffer.from('{"data":[');

/** Below this, a compressed body saves no packet. */
const MIN_COMPRESSED = 1400;

export interface PagesOptions {
  readonly sql: Queries;
  readonly usage: Usage;
  readonly publicApiUrl: string;
}

/** The pages of all lists. */
export class Pages {
  readonly #options: PagesOptions;

  constructor(options: PagesOptions) {
    this.#options = options;
  }

  /** @throws {ApiError} 403 or 401 by the caller's state, 400 for an unknown cursor */
  async read({ text, values }: Statement, parameters: PageParameters): Promise<Page> {
    const [row] = await this.#options.sql.unsafe(text, values, { prepare: true }).raw();
    assert(row !== undefined, "the statement of a page returned no row");
    const [state, cursorKnown, hasPrevious, count, joined] = row;
    const refused = refusal(String(state) as CallerState);
    if (refused) throw refused;
    if (parameters.cursor && String(cursorKnown) !== "true") throw unknownCursor(parameters.cursor);
    if (!joined) return { parameters, records: Buffer.alloc(0), edges: null, count: 0 };
    return pageOf(joined, Number(count), String(hasPrevious) === "true", parameters);
  }

  /** Whether the caller may have the page was decided when it was read. */
  async send(request: FastifyRequest, reply: FastifyReply, page: Page): Promise<FastifyReply> {
    const { publicApiUrl, usage } = this.#options;
    const [path] = request.url.split("?", 1);
    const { prev, next } = pageLinks(`${publicApiUrl}${path}`, page.parameters, page.edges);
    const closing = `],"prev":${JSON.stringify(prev)},"next":${JSON.stringify(next)}}`;
    const body = Buffer.concat([OPENING, page.records, Buffer.from(closing)]);
    if (request.method !== "HEAD") usage.records(request.caller, page.count);
    reply
      .type("application/json; charset=utf-8")
      .header("cache-control", "private, no-cache")
      .header("vary", "authorization, accept-encoding");
    const coding = body.length < MIN_COMPRESSED ? null : chooseCoding(request.headers["accept-encoding"]);
    if (!coding) return reply.send(body);
    return reply.header("content-encoding", coding).send(await compress(body, coding));
  }
}

/** The page of the records that were read, without the one that only says that more follow, and in the order of the list. */
function pageOf(joined: Buffer, read: number, hasPrevious: boolean, parameters: PageParameters): Page {
  const { cursor, limit, mostBytes = Number.POSITIVE_INFINITY } = parameters;
  const hasMore = read > limit || joined.length + SEPARATOR.length >= mostBytes;
  const inOrder = hasMore ? joined.subarray(0, Math.max(joined.lastIndexOf(SEPARATOR), 0)) : joined;
  const isBackward = cursor?.direction === "backward";
  const records = isBackward ? reversed(inOrder) : inOrder;
  const [precedes, follows] = isBackward ? [hasMore, hasPrevious] : [hasPrevious, hasMore];
  return {
    parameters,
    records,
    edges: { first: firstEdge(records), last: lastEdge(records), precedes, follows },
    count: hasMore ? read - 1 : read,
  };
}

function reversed(joined: Buffer): Buffer {
  return Buffer.from(joined.toString("latin1").split(SEPARATOR).reverse().join(SEPARATOR), "latin1");
}

function firstEdge(joined: Buffer): Edge {
  const end = joined.indexOf(SEPARATOR);
  return edgeOf(joined.toString("utf8", 0, end < 0 ? joined.length : end));
}

function lastEdge(joined: Buffer): Edge {
  const end = joined.lastIndexOf(SEPARATOR);
  return edgeOf(joined.toString("utf8", end < 0 ? 0 : end + SEPARATOR.length));
}

/** A response or a question; or a deletion, which has one time. */
type EdgeRecord = { readonly id: string | number } & (
  | { readonly inserted_at: string; readonly updated_at: string }
  | { readonly deleted_at: string }
);

/** A response's first fields, where its id has no character that JSON escapes. */
const RESPONSE_START = /^\{"id":"([^"\\]+)","inserted_at":"([^"]+)","updated_at":"([^"]+)"/;

/** What matters of a record at the edge of its page. Its first fields are enough of nearly every one: parsing takes longer. */
function edgeOf(record: string): Edge {
  const start = RESPONSE_START.exec(record);
  if (start) return { id: start[1] as string, insertedAt: start[2] as string, updatedAt: start[3] as string };
  const parsed = JSON.parse(record) as EdgeRecord;
  const id = String(parsed.id);
  if ("deleted_at" in parsed) return { id, insertedAt: parsed.deleted_at, updatedAt: parsed.deleted_at };
  return { id, insertedAt: parsed.inserted_at, updatedAt: parsed.updated_at };
}
