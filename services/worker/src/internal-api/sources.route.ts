import type { ServerResponse } from "node:http";
import { Readable } from "node:stream";
import {
  BEGINNING,
  type ChangesCursor,
  type FeedRow,
  formatCursor,
  pageOf,
  parseCursor,
  watchPositions,
} from "@partner-connect/connections/changes";
import {
  example,
  integer,
  limitParameter,
  PAGE_LIMIT,
  Source,
  STORED_SOURCE,
  TIMESTAMP,
  text,
  textOrNull,
} from "@partner-connect/contract/openapi";
import { type Sql, transaction } from "@partner-connect/database";
import { type Semaphore, unavailable } from "@partner-connect/service-runtime";
import type { FastifyInstance } from "fastify";
import Type, { type Static } from "typebox";
import { invalidRequest, refusal } from "./api-error.ts";
import { requireKey } from "./authenticate.ts";
import { ok } from "./openapi.ts";

const CURSOR = "MS40Mi4xZjBhM2I1YzdkOWUuMDAxMTIyMzM0NDU1NjY3Nw";
const CHANGE = {
  shop_id: "42",
  client_id: "client_7d3e8b4f5a6c",
  at: STORED_SOURCE.updated_at,
  source: STORED_SOURCE,
};

const Change = Type.Object({
  shop_id: text("The shop.", CHANGE.shop_id),
  client_id: textOrNull(
    "The partner's client. Null: it came with an API key of the shop.",
    CHANGE.client_id,
  ),
  at: text("When it was created or last changed.", CHANGE.at, TIMESTAMP),
  source: Source,
});

const SourcesPage = Type.Object(
  {
    data: Type.Array(Change, {
      description: "Sources after the cursor; each with its last change.",
    }),
    cursor: text(
      "Store it once you have processed the page, and pass it as `after`. Opaque.",
      CURSOR,
    ),
    has_more: Type.Boolean({ description: "Whether more follow this page.", examples: [false] }),
  },
  { $id: "SourcesPage", description: "A page of sources." },
);

const Query = Type.Object({
  after: Type.Optional(
    text("The `cursor` of the last page. Omit it to start from the beginning.", CURSOR),
  ),
  limit: limitParameter("Maximum number of sources per page.", 100),
  wait: Type.Optional(
    integer([0, 25], {
      default: 0,
      examples: [25],
      description: "Seconds to wait for a source, at most.",
    }),
  ),
});

const schema = {
  operationId: "listSources",
  tags: ["Sources"],
  summary: "Lists the sources that partners created or changed.",
  description:
    "One cursor for all shops. No change is ever missed, or inserted before a position that you have passed. A source that changed several times is returned once, as it is now. Sources of partners' test shops are left out. A key has at most 100 waiting calls: one more ends the oldest.",
  querystring: Query,
  response: {
    200: ok(SourcesPage, "A page; may be empty. It also ends at 16 MB.", {
      page: example("One source has changed", { data: [CHANGE], cursor: CURSOR, has_more: false }),
    }),
  },
};

const EXPIRED =
  "after is past what the database has: it was restored to an earlier time, or lost its last seconds. Read from the beginning.";

/** GET /internal/sources. @param permits of large calls */
export function sourcesRoute(app: FastifyInstance, sql: Sql, permits: Semaphore): void {
  const read = async (_sql: Sql, keys: readonly string[]) => {
    const { last } = await readPosition(sql);
    return keys.map((key) => ({ clientId: key, number: last }));
  };
  const positions = watchPositions(sql, { read });
  app.addHook("preClose", async () => positions.close());
  app.get<{ Querystring: Static<typeof Query> }>(
    "/internal/sources",
    { schema, config: { refusals: [410] } },
    async (request, reply) => {
      const { after, limit = PAGE_LIMIT.fallback, wait = 0 } = request.query;
      const from = after === undefined ? BEGINNING : parseCursor(after, READER);
      if (!from) throw invalidRequest("after is not a cursor of this list.", "after");
      let position = await readPosition(sql);
      if (position.last === from.number && wait > 0) {
        const call = new AbortController();
        reply.raw.once("close", () => call.abort());
        await positions.wait(String(request.productKeyId), from.number, call.signal, wait * 1000);
        await requireKey(sql, request);
        position = await readPosition(sql);
      }
      if (position.last > from.number) await holdPermit(permits, reply.raw);
      const page = await readSources(sql, position, from, limit);
      if (!page) throw refusal(410, "cursor_expired", EXPIRED);
      const rest = JSON.stringify({
        cursor: formatCursor(page.cursor, READER),
        has_more: page.hasMore,
      });
      const data = page.data.flatMap((doc, index) => (index === 0 ? [doc] : [COMMA, doc]));
      const body = [Buffer.from('{"data":['), ...data, Buffer.from(`],${rest.slice(1)}`)];
      // Joined, a page of 16 MB would be in memory twice.
      const length = body.reduce((sum, part) => sum + part.length, 0);
      return reply
        .headers({ "content-type": "application/json; charset=utf-8", "content-length": length })
        .send(Readable.from(body));
    },
  );
}

const COMMA = Buffer.from(",");

/** The owner of these cursors. Those of the feed have a client's id here. */
const READER = "sources";

/** Bytes of a page's records. */
const MOST_BYTES = 16 * 1024 * 1024;

/**
 * Takes a permit until the answer is read, because until then it is in memory. @throws {ApiError}
 * 503
 */
async function holdPermit(permits: Semaphore, answer: ServerResponse): Promise<void> {
  if (!(await permits.take())) throw unavailable("too_many_calls");
  if (answer.closed) permits.release();
  else answer.once("close", () => permits.release());
}

type Position = Omit<FeedRow, "number">;

/** The last number, after numbering what was committed before. */
async function readPosition(sql: Sql): Promise<Position> {
  await numberSources(sql);
  const [position] = await sql<
    Position[]
  >`SELECT number::float8 AS last, epoch, past FROM survey.source_position`;
  return position as Position;
}

/**
 * The sources created or changed after `from` and up to `position`, by number, as JSON; only the
 * last change of each source, and none of test shops. One that changes meanwhile gets a number
 * after `position`. Null: the cursor has expired. Index: sources_by_number.
 */
async function readSources(sql: Sql, position: Position, from: ChangesCursor, limit: number) {
  const rows = await sql`
    SELECT number::text, doc FROM (
      SELECT number, doc, sum(octet_length(doc)) OVER (ORDER BY number) - octet_length(doc) AS bytes FROM (
        SELECT number, json_build_object('shop_id', shop_id, 'client_id', client_id, 'at', survey.timestamp_text(updated_at),
          'source', json_build_object('id', id, 'name', name, 'type', type, 'external_id', external_id, 'url', url, 'aliases', aliases,
            'inserted_at', survey.timestamp_text(inserted_at), 'updated_at', survey.timestamp_text(updated_at)))::text AS doc
        FROM survey.sources AS source
        WHERE number > ${from.number} AND number <= ${position.last}
          AND NOT EXISTS (SELECT FROM directory.test_shops AS test WHERE test.shop_id = source.shop_id)
        ORDER BY number LIMIT ${limit + 1}) AS record) AS record
    WHERE bytes < ${MOST_BYTES} ORDER BY record.number`.raw();
  const records = rows.map(([number, doc]) => ({
    ...position,
    number: Number(number),
    doc: doc as Buffer,
  }));
  const bytes = records.reduce((sum, { doc }) => sum + doc.length, 0);
  // The record that reaches the limit in bytes only shows that more follow.
  const found = pageOf<FeedRow & { readonly doc: Buffer }>(
    from,
    records.length > 0 ? records : [{ ...position, number: null, doc: COMMA }],
    bytes < MOST_BYTES ? limit : records.length - 1,
  );
  return found && { ...found, data: found.page.map(({ doc }) => doc) };
}

/** Sources numbered in one transaction. */
const BATCH = 5000;

/**
 * Assigns numbers to committed changes that have none. The position's row stays locked until the
 * commit, so numbers are assigned in one order, and a source that is committed later gets a higher
 * one. Index: sources_by_number.
 */
async function numberSources(sql: Sql): Promise<void> {
  if ((await sql`SELECT FROM survey.sources WHERE number IS NULL LIMIT 1`).length === 0) return;
  await transaction(sql, async (tx) => {
    await tx`SELECT FROM survey.source_position FOR UPDATE`;
    // Locked rows are being changed, and will need a later number.
    await tx`
      WITH changed AS MATERIALIZED (
        SELECT shop_id, id, updated_at FROM survey.sources WHERE number IS NULL LIMIT ${BATCH} FOR UPDATE SKIP LOCKED),
      numbered AS (
        UPDATE survey.sources AS source SET number = position.number + place
        FROM survey.source_position AS position,
          (SELECT shop_id, id, row_number() OVER (ORDER BY updated_at, id) AS place FROM changed) AS changed
        WHERE source.shop_id = changed.shop_id AND source.id = changed.id
        RETURNING 1)
      UPDATE survey.source_position SET number = number + (SELECT count(*) FROM numbered)`;
  });
}
