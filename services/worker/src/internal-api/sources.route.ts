import { BEGINNING, type ChangesCursor, formatCursor, parseCursor } from "@partner-connect/connections/changes";
import {
  COUNTED,
  example,
  IGNORED_PARAMETERS,
  integer,
  jsonAnswer,
  limitParameter,
  PAGE_LIMIT,
  Source,
  STORED_SOURCE,
  TIMESTAMP,
  text,
  textOrNull,
} from "@partner-connect/contract/openapi";
import type { Sql } from "@partner-connect/database";
import { ApiError } from "@partner-connect/service-runtime";
import type { FastifyInstance } from "fastify";
import Type, { type Static } from "typebox";
import { invalidRequest } from "./api-error.ts";
import { requireKey } from "./authenticate.ts";
import { ERROR_ANSWERS, errorAnswer } from "./openapi.ts";
import { readSources, watchSources } from "./sources.ts";

const MOST_SECONDS = 25;
const CURSOR = "MS40Mi4xZjBhM2I1YzdkOWUuMDAxMTIyMzM0NDU1NjY3Nw";
const EXPIRED =
  "after is past what the database has: it was restored to an earlier time, or lost its last seconds. Read from the beginning.";
const CHANGE = {
  ...{ shop_id: "42", client_id: "client_7d3e8b4f5a6c", at: STORED_SOURCE.updated_at },
  source: STORED_SOURCE,
};

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
    integer([0, MOST_SECONDS], {
      ...{ default: 0, examples: [MOST_SECONDS] },
      description: "Seconds to wait for a source. The call may return earlier with an empty page.",
    }),
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
    200: jsonAnswer(SourcesPage, "A page; may be empty.", [...COUNTED, IGNORED_PARAMETERS], {
      page: example("One source has changed", { data: [CHANGE], cursor: CURSOR, has_more: false }),
    }),
    ...ERROR_ANSWERS,
    410: errorAnswer("The cursor has expired. Read from the beginning: one entry for each source."),
  },
};

/** GET /internal/sources. */
export function sourcesRoute(app: FastifyInstance, sql: Sql): void {
  const sources = watchSources(sql);
  app.addHook("preClose", async () => sources.close());
  app.get("/internal/sources", { schema }, async (request, reply) => {
    const { after, limit = PAGE_LIMIT.fallback, wait = 0 } = request.query as Static<typeof Query>;
    const from = readAfter(after);
    const read = async () => {
      const page = await readSources(sql, from, limit);
      if (page) return page;
      throw new ApiError(410, { error: "cursor_expired", error_description: EXPIRED }, { reason: "cursor_expired" });
    };
    let page = await read();
    if (page.data.length === 0 && wait > 0) {
      const gone = new AbortController();
      reply.raw.once("close", () => gone.abort());
      await sources.wait(page.cursor.number, gone.signal, wait);
      if (!gone.signal.aborted) {
        await requireKey(sql, request);
        page = await read();
      }
    }
    return { data: page.data, cursor: formatCursor(page.cursor, READER), has_more: page.hasMore };
  });
}

/** The cursor's reader, which for the feed is a client's id. */
const READER = "sources";

/** @throws {ApiError} 400 */
function readAfter(value: string | undefined): ChangesCursor {
  if (value === undefined) return BEGINNING;
  const cursor = parseCursor(value, READER);
  if (!cursor) throw invalidRequest("after", "after is not a cursor of this list.");
  return cursor;
}
