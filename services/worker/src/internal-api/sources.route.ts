import { setTimeout as pause } from "node:timers/promises";
import {
  BEGINNING,
  type ChangesCursor,
  type FeedRow,
  formatCursor,
  pageOf,
  parseCursor,
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
import type { FastifyInstance } from "fastify";
import Type, { type Static } from "typebox";
import { invalidRequest, refusal } from "./api-error.ts";
import { requireKey } from "./authenticate.ts";
import { ok } from "./openapi.ts";

const CURSOR = "MS40Mi4xZjBhM2I1YzdkOWUuMDAxMTIyMzM0NDU1NjY3Nw";
const CHANGE = { shop_id: "42", client_id: "client_7d3e8b4f5a6c", at: STORED_SOURCE.updated_at, source: STORED_SOURCE };

const Change = Type.Object({
  shop_id: text("The shop.", CHANGE.shop_id),
  client_id: textOrNull("The partner's client. Null: it came with an API key of the shop.", CHANGE.client_id),
  at: text("When it was created or last changed.", CHANGE.at, TIMESTAMP),
  source: Source,
});

const SourcesPage = Type.Object(
  {
    data: Type.Array(Change, { description: "Sources after the cursor; each with its last change." }),
    cursor: text("Store it once you have processed the page, and pass it as `after`. Opaque.", CURSOR),
    has_more: Type.Boolean({ description: "Whether more follow this page.", examples: [false] }),
  },
  { $id: "SourcesPage", description: "A page of sources." },
);

const Query = Type.Object({
  after: Type.Optional(text("The `cursor` of the last page. Omit it to start from the beginning.", CURSOR)),
  limit: limitParameter("Maximum number of sources per page.", 100),
  wait: Type.Optional(
    integer([0, 25], { default: 0, examples: [25], description: "Seconds to wait for a source, at most." }),
  ),
});

const schema = {
  operationId: "listSources",
  tags: ["Sources"],
  summary: "Lists the sources that partners created or changed.",
  description:
    "One cursor for all shops. No change is ever missed, or inserted before a position that you have passed. A source that changed several times is returned once, as it is now.",
  querystring: Query,
  response: {
    200: ok(SourcesPage, "A page; may be empty.", {
      page: example("One source has changed", { data: [CHANGE], cursor: CURSOR, has_more: false }),
    }),
  },
};

const EXPIRED =
  "after is past what the database has: it was restored to an earlier time, or lost its last seconds. Read from the beginning.";

/** Milliseconds between two queries of a call that waits. */
const LOOK_EVERY = 200;

/** GET /internal/sources. */
export function sourcesRoute(app: FastifyInstance, sql: Sql): void {
  let isClosing = false;
  app.addHook("preClose", async () => {
    isClosing = true;
  });
  app.get<{ Querystring: Static<typeof Query> }>("/internal/sources", { schema }, async (request, reply) => {
    const { after, limit = PAGE_LIMIT.fallback, wait = 0 } = request.query;
    const from = after === undefined ? BEGINNING : parseCursor(after, READER);
    if (!from) throw invalidRequest("after is not a cursor of this list.", "after");
    const end = performance.now() + wait * 1000;
    let page = await readSources(sql, from, limit);
    while (page?.data.length === 0 && performance.now() < end && !isClosing && !reply.raw.destroyed) {
      await pause(LOOK_EVERY);
      page = await readSources(sql, from, limit);
    }
    if (wait > 0) await requireKey(sql, request);
    if (!page) throw refusal(410, "cursor_expired", EXPIRED);
    return { data: page.data, cursor: formatCursor(page.cursor, READER), has_more: page.hasMore };
  });
}

/** The owner of these cursors. Those of the feed have a client's id here. */
const READER = "sources";

/** The other columns are the fields of a source in the public API. */
interface SourceRow extends FeedRow {
  readonly shop_id: string;
  readonly client_id: string | null;
  readonly updated_at: string;
}

/**
 * The sources created or changed after `after`, by number; only the last change of each source. Null: the cursor has
 * expired. Index: sources_by_number.
 */
async function readSources(sql: Sql, after: ChangesCursor, limit: number) {
  await numberSources(sql);
  const rows = await sql<SourceRow[]>`
    SELECT position.number::float8 AS last, epoch, past, source.number::float8 AS number, shop_id, client_id, source.id, name, type,
      external_id, url, aliases, survey.timestamp_text(inserted_at) AS inserted_at, survey.timestamp_text(updated_at) AS updated_at
    FROM survey.source_position AS position
      LEFT JOIN LATERAL (
        SELECT * FROM survey.sources WHERE number > ${after.number} ORDER BY number LIMIT ${limit + 1}
      ) AS source ON true
    ORDER BY source.number`;
  const found = pageOf(after, rows, limit);
  if (!found) return null;
  const data = found.page.map(({ last: _, epoch: __, past: ___, number: ____, shop_id, client_id, ...source }) => ({
    ...{ shop_id, client_id, at: source.updated_at },
    source,
  }));
  return { data, cursor: found.cursor, hasMore: found.hasMore };
}

/** Sources numbered in one transaction. */
const BATCH = 5000;

/**
 * Assigns numbers to committed changes that have none. The position's row stays locked until the commit, so numbers are assigned in one
 * order, and a source that is committed later gets a higher one. Index: sources_by_number.
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
