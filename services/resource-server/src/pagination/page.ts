import assert from "node:assert/strict";
import type { Queries } from "@partner-connect/database";
import type { FastifyReply, FastifyRequest } from "fastify";
import { type CallerState, refusalOf } from "../authorization/caller-state.query.ts";
import type { Statement } from "../statement.ts";
import type { Usage } from "../usage.ts";
import { SEPARATOR } from "./page.query.ts";
import { type Given, type PageParameters, unknownCursor } from "./page-parameters.ts";

export interface Page {
  readonly parameters: PageParameters;
  /** The bytes of the records in the list's order, joined by {@link SEPARATOR}. */
  readonly records: readonly Buffer[];
  /** Null if the page is empty. */
  readonly edges: PageEdges | null;
  readonly count: number;
}

/** The first and last record of a page, and whether the list has more before and after. */
export interface PageEdges {
  readonly first: Edge;
  readonly last: Edge;
  readonly hasPrev: boolean;
  readonly hasNext: boolean;
}

export interface Edge {
  readonly id: string;
  /** The time by which the list is sorted; empty if it is sorted by id. */
  readonly time: string;
}

const OPENING = Buffer.from('{"data":[');
const BETWEEN = Buffer.from(SEPARATOR);

export interface PagesOptions {
  readonly sql: Queries;
  readonly usage: Usage;
  readonly publicApiUrl: string;
}

/** Reads and sends the pages of all lists. */
export class Pages {
  readonly #options: PagesOptions;

  constructor(options: PagesOptions) {
    this.#options = options;
  }

  /** @throws {ApiError} 403 or 401 by the caller's state, 400 for an unknown cursor */
  async read({ text, values }: Statement, parameters: PageParameters): Promise<Page> {
    const rows = await this.#options.sql.unsafe(text, values, { prepare: true }).raw();
    const [row] = rows;
    assert(row !== undefined, "the statement of a page returned no row");
    const [state, cursorKnown, hasBehind] = row; // Buffers
    const refused = refusalOf(String(state) as CallerState);
    if (refused) throw refused;
    if (parameters.cursor && String(cursorKnown) !== "true") throw unknownCursor(parameters.cursor);
    const chunks = rows.flatMap(([, , , chunk, count, records]) =>
      records ? { number: Number(chunk), count: Number(count), records } : [],
    );
    return pageOf(chunks, String(hasBehind) === "true", parameters);
  }

  send(request: FastifyRequest, reply: FastifyReply, page: Page): FastifyReply {
    const { publicApiUrl, usage } = this.#options;
    const { url: path } = request.routeOptions;
    const { prev, next } = pageLinks(`${publicApiUrl}${path}`, page.parameters.given, page.edges);
    const closing = `],"prev":${JSON.stringify(prev)},"next":${JSON.stringify(next)}}`;
    const body = Buffer.concat([OPENING, ...page.records, Buffer.from(closing)]);
    if (request.method !== "HEAD") usage.countRecords(request.caller, page.count);
    return reply
      .type("application/json; charset=utf-8")
      .header("cache-control", "private, no-cache")
      .header("vary", "authorization, accept-encoding")
      .send(body);
  }
}

interface Chunk {
  readonly number: number;
  readonly count: number;
  readonly records: Buffer;
}

/** Makes a page from the records, which may arrive in any order. */
function pageOf(chunks: readonly Chunk[], hasBehind: boolean, parameters: PageParameters): Page {
  const { records, count, hasAhead } = withoutExtra(chunks, parameters);
  const [firstRead, lastRead] = [records[0], records.at(-1)];
  if (!firstRead || !lastRead) return { parameters, records: [], edges: null, count: 0 };
  const { cursor, sortTime } = parameters;
  const end = firstRead.indexOf(SEPARATOR);
  const first = edgeOf(firstRead.toString("utf8", 0, end < 0 ? firstRead.length : end), sortTime);
  const start = lastRead.lastIndexOf(SEPARATOR);
  const last = edgeOf(
    lastRead.toString("utf8", start < 0 ? 0 : start + SEPARATOR.length),
    sortTime,
  );
  if (cursor?.side !== "before") {
    const edges = { first, last, hasPrev: hasBehind, hasNext: hasAhead };
    return { parameters, records, edges, count };
  }
  const edges = { first: last, last: first, hasPrev: hasAhead, hasNext: hasBehind };
  return { parameters, records: [reverseRecords(Buffer.concat(records))], edges, count };
}

/** The records without an extra last one: the one beyond `limit`, or that reaches `mostBytes`. */
function withoutExtra(chunks: readonly Chunk[], { limit, mostBytes }: PageParameters) {
  const count = chunks.reduce((sum, chunk) => sum + chunk.count, 0);
  const joined = chunks
    .toSorted((a, b) => a.number - b.number)
    .flatMap(({ records }, index) => (index === 0 ? [records] : [BETWEEN, records]));
  const bytes = joined.reduce((sum, { length }) => sum + length, 0);
  const isFull = mostBytes !== undefined && bytes + SEPARATOR.length >= mostBytes; // see chunksSql
  if (count <= limit && !isFull) return { records: joined, count, hasAhead: false };
  return { records: withoutLast(joined), count: count - 1, hasAhead: true };
}

function withoutLast(joined: readonly Buffer[]): Buffer[] {
  const last = joined.at(-1) as Buffer;
  const end = last.lastIndexOf(SEPARATOR);
  return end < 0 ? joined.slice(0, -2) : [...joined.slice(0, -1), last.subarray(0, end)];
}

function reverseRecords(joined: Buffer): Buffer {
  return Buffer.from(
    joined.toString("latin1").split(SEPARATOR).reverse().join(SEPARATOR),
    "latin1",
  );
}

/** Matches the start of a response whose id contains no JSON escapes. */
const RESPONSE_START = /^\{"id":"([^"\\]+)","inserted_at":"([^"]+)","updated_at":"([^"]+)"/;

/**
 * Reads id and time of a record at a page's edge. Matching the first fields is faster than parsing
 * the record.
 */
function edgeOf(record: string, sortTime: PageParameters["sortTime"]): Edge {
  const [matched, id, inserted_at, updated_at] = RESPONSE_START.exec(record) ?? [];
  const fields = matched ? { id, inserted_at, updated_at } : JSON.parse(record);
  return { id: String(fields.id), time: sortTime ? fields[sortTime] : "" };
}

/** Returns absolute URLs on the configured base, with canonical names. An empty page has none. */
export function pageLinks(endpoint: string, given: Given, edges: PageEdges | null) {
  if (!edges) return { prev: null, next: null };
  const link = (name: string, { id, time }: Edge): string => {
    const cursor = { [name]: id, ...(time && { cursor_time: time }) };
    const pairs = [...given, ...Object.entries(cursor)].map(
      ([key, value]) => `${key}=${encodeURIComponent(value)}`,
    );
    return `${endpoint}?${pairs.join("&")}`;
  };
  return {
    prev: edges.hasPrev ? link("ending_before", edges.first) : null,
    next: edges.hasNext ? link("starting_after", edges.last) : null,
  };
}
