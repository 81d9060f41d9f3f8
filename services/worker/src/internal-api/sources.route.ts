import type { ServerResponse } from "node:http";
import { Readable } from "node:stream";
import {
  BEGINNING,
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
import type { Sql } from "@partner-connect/database";
import { type Semaphore, unavailable } from "@partner-connect/service-runtime";
import {
  advanceSourcePosition,
  listSources,
  moveSourcePosition,
} from "@partner-connect/survey-data";
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
    "The partner's client. Null if the source was sent with an API key of the shop.",
    CHANGE.client_id,
  ),
  at: text("When it was created or last changed.", CHANGE.at, TIMESTAMP),
  source: Source,
});

const SourcesPage = Type.Object(
  {
    data: Type.Array(Change, {
      description: "Sources that changed after the cursor; each with its latest values.",
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
      description: "Maximum number of seconds to wait for a source.",
    }),
  ),
});

const schema = {
  operationId: "listSources",
  tags: ["Sources"],
  summary: "Lists the sources that partners created or changed.",
  description:
    "One cursor for all shops. No change is ever missed, or inserted before a position that you have passed. A source that changed several times is returned once, as it is now. Sources of partners' test shops and of shops that are being erased are left out. A key has at most 100 waiting calls: one more ends the oldest.",
  querystring: Query,
  response: {
    200: ok(SourcesPage, "A page; may be empty. It also ends at 16 MB.", {
      page: example("One source has changed", { data: [CHANGE], cursor: CURSOR, has_more: false }),
    }),
  },
};

const EXPIRED =
  "after is past what the database has: it was restored to an earlier time, or lost its last seconds. Read from the beginning.";

/** GET /internal/sources. `permits` limits large calls. */
export function sourcesRoute(app: FastifyInstance, sql: Sql, permits: Semaphore): void {
  const read = async (_sql: Sql, keys: readonly string[]) => {
    const { last } = await advanceSourcePosition(sql);
    return keys.map((key) => ({ clientId: key, number: last }));
  };
  const positions = watchPositions(sql, { read });
  app.addHook("preClose", async () => positions.close());
  app.get<{ Querystring: Static<typeof Query> }>(
    "/internal/sources",
    { schema, config: { errorStatuses: [410] } },
    async (request, reply) => {
      const { after, limit = PAGE_LIMIT.fallback, wait = 0 } = request.query;
      const from = after === undefined ? BEGINNING : parseCursor(after, READER);
      if (!from) throw invalidRequest("after is not a cursor of this list.", "after");
      let position = await advanceSourcePosition(sql);
      if (position.last === from.number && wait > 0) {
        const call = new AbortController();
        reply.raw.once("close", () => call.abort());
        if (reply.raw.destroyed) call.abort(); // closed before
        await positions.wait(String(request.productKeyId), from.number, call.signal, wait * 1000);
        await requireKey(sql, request);
        position = await advanceSourcePosition(sql);
      }
      if (position.last === from.number) position = await moveSourcePosition(sql);
      if (position.last > from.number) await holdPermit(permits, reply.raw);
      const { most, rows } = await listSources(sql, from.number, position.last, limit);
      const found = rows.map((row) => ({ ...position, ...row }));
      const page = pageOf<FeedRow & { readonly doc: Buffer }>(
        from,
        found.length > 0 ? found : [{ ...position, number: null, doc: COMMA }],
        most,
      );
      if (!page) throw refusal(410, "cursor_expired", EXPIRED);
      const rest = JSON.stringify({
        cursor: formatCursor(page.cursor, READER),
        has_more: page.hasMore,
      });
      const data = page.page.flatMap(({ doc }, index) => (index === 0 ? [doc] : [COMMA, doc]));
      const body = [Buffer.from('{"data":['), ...data, Buffer.from(`],${rest.slice(1)}`)];
      // The parts are not joined, because a page of 16 MB would then be in memory twice.
      const length = body.reduce((sum, part) => sum + part.length, 0);
      return reply
        .headers({ "content-type": "application/json; charset=utf-8", "content-length": length })
        .send(Readable.from(body));
    },
  );
}

const COMMA = Buffer.from(",");

/** The owner that cursors of this list name. Cursors of the feed name a client instead. */
const READER = "sources";

/** Takes a permit until the response, which is in memory, is sent. @throws {ApiError} 503 */
async function holdPermit(permits: Semaphore, answer: ServerResponse): Promise<void> {
  if (!(await permits.take())) throw unavailable("too_many_calls");
  if (answer.closed) permits.release();
  else answer.once("close", () => permits.release());
}
