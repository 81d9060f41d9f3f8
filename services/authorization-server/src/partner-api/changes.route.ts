import { connectionStatuses } from "@partner-connect/connections";
import {
  type Change,
  type ChangesCursor,
  formatCursor,
  type PositionWatch,
  parseCursor,
  readChanges,
} from "@partner-connect/connections/changes";
import { statusOfWebhooks } from "@partner-connect/connections/webhooks";
import {
  COUNTED,
  example,
  IGNORED_PARAMETERS,
  integer,
  invalid,
  invalidAnswer,
  jsonAnswer,
  limitParameter,
  PAGE_LIMIT,
  TIMESTAMP,
  text,
  textOrNull,
} from "@partner-connect/contract/openapi";
import { noteFacts } from "@partner-connect/service-runtime";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import Type, { type Static } from "typebox";
import {
  CHANGES_PATH,
  CONNECTION_STATUSES,
  CURSOR_EXPIRED,
  MAX_WAIT_SECONDS,
} from "../protocol.ts";
import { authenticateClient, clientEndpoint } from "../token/client-endpoint.ts";
import { TokenError } from "../token/token-request.ts";

const CHANGE = {
  connection_id: "con_018d1e2f6a1c7d3e8b4f5a6c7d8e9f01",
  shop_id: "shop_018c2a90f3b4756e9d21c0de5f6a7b89",
  kind: "responses",
  status: "connected",
  at: "2024-03-05T14:30:00.000Z",
};
const CURSOR = "MS40Mi4xZjBhM2I1YzdkOWUuMDAxMTIyMzM0NDU1NjY3Nw";

const KIND =
  "`responses`: read `GET /api/responses` of this shop from where you stopped; `deletions`: its deleted responses; `questions`: its questions; " +
  "`connection`: it was connected, connected again, put on hold or ended. `webhook` concerns no connection: one of your endpoints was paused or resumed. New kinds may be added.";

const STATUS =
  "The connection's current status, as in the list of connections. For kind `webhook`: `paused` while any of your endpoints is paused, else `active`.";

const ChangeEntry = Type.Object(
  {
    connection_id: textOrNull(
      "The connection that changed. Null for kind `webhook`.",
      CHANGE.connection_id,
    ),
    shop_id: textOrNull("Its shop. Null for kind `webhook`.", CHANGE.shop_id),
    kind: text(KIND, CHANGE.kind, {
      "x-extensible-enum": ["responses", "deletions", "questions", "connection", "webhook"],
    }),
    status: text(STATUS, CHANGE.status, {
      "x-extensible-enum": [...CONNECTION_STATUSES, "active", "paused"],
    }),
    at: text("When it changed.", CHANGE.at, TIMESTAMP),
  },
  {
    $id: "Change",
    description: "A connection has changes of one kind. The changed data itself is not included.",
  },
);

const ChangesPage = Type.Object(
  {
    data: Type.Array(ChangeEntry, {
      description:
        "Changes after the cursor, oldest first; only the latest for each connection and kind.",
    }),
    cursor: text(
      "The position after this page: pass it as `after`. Opaque; store it once you have processed the page.",
      CURSOR,
      {
        maxLength: 200,
      },
    ),
    has_more: Type.Boolean({
      description: "Whether more changes follow this page.",
      examples: [false],
    }),
  },
  { $id: "ChangesPage", description: "A page of your client's changes." },
);

const CursorExpired = Type.Object(
  {
    error: text("Branch on the status and this code.", "cursor_expired"),
    error_description: text("For people; it may change.", "read from the beginning"),
  },
  {
    $id: "CursorExpired",
    description: "This cursor points past the data that is now in our database.",
  },
);

const ChangesQuery = Type.Object({
  after: Type.Optional(
    text("The `cursor` of the last page. Omit it to start from the beginning.", CURSOR),
  ),
  limit: limitParameter("Maximum number of entries per page.", 100),
  wait: Type.Optional(
    integer([0, MAX_WAIT_SECONDS], {
      default: 0,
      description:
        "Seconds to wait for changes (long polling). The call may return earlier with an empty page.",
      examples: [MAX_WAIT_SECONDS],
    }),
  ),
});

const changesSchema = {
  operationId: "listChanges",
  tags: ["Connections"],
  summary: "Lists which of your client's connections changed, and what kind of change.",
  description:
    "One cursor for all shops. No change is ever missed, or inserted before a position that you have passed. Reading the data itself takes each shop's access token. " +
    "Changes never expire: a client that returns after a year reads one entry per changed connection and kind.",
  querystring: ChangesQuery,
  response: {
    200: jsonAnswer(
      ChangesPage,
      "A page of changes; may be empty.",
      [...COUNTED, "cache-control", IGNORED_PARAMETERS],
      {
        page: example("One shop has new responses", {
          data: [CHANGE],
          cursor: CURSOR,
          has_more: false,
        }),
      },
    ),
    400: invalidAnswer(
      {
        after: invalid(
          "after",
          "after is not a cursor of this client's changes.",
          "A cursor of another client, of another list, or edited",
        ),
        wait: invalid(
          "wait",
          `wait must be an integer from 0 to ${MAX_WAIT_SECONDS}.`,
          "A wait above the maximum",
        ),
      },
      "cache-control",
    ),
    410: jsonAnswer(
      CursorExpired,
      "Our database was restored to an earlier time, or lost its last seconds. Read from the beginning: one entry for each connection and kind.",
      [...COUNTED, "cache-control"],
      {
        cursor_expired: example("A cursor past the restored data", {
          error: "cursor_expired",
          error_description: CURSOR_EXPIRED,
        }),
      },
    ),
  },
};

/** Design, GET /oauth/api/changes: which of the client's connections changed, and how. */
export function changesRoute(app: FastifyInstance, positions: PositionWatch): void {
  const { clients, sql, config } = app;

  const answer: Parameters<typeof clientEndpoint>[1]["answer"] = async (
    request,
    reply,
    { clientId },
  ) => {
    const query = request.query as Static<typeof ChangesQuery>;
    const { limit = PAGE_LIMIT.fallback, wait: seconds = 0 } = query;
    const after = readAfter(query.after, clientId);
    let page = await readPage(clientId, after, limit);
    if (page?.data.length === 0 && seconds > 0) {
      const { number } = page.cursor;
      const call = new AbortController();
      reply.raw.once("close", () => call.abort());
      await positions.wait(clientId, number, call.signal, seconds * 1000);
      if (reply.raw.destroyed) return reply.send();
      // The client may have been disabled during the wait, or its secret may have ended.
      await authenticateClient(request.raw, null, clients, new Date());
      page = await readPage(clientId, after, limit);
    }
    if (page === null) return refuseExpired(request, reply);
    return reply.send({
      data: page.data,
      cursor: formatCursor(page.cursor, clientId),
      has_more: page.hasMore,
    });
  };

  async function readPage(clientId: string, after: ChangesCursor | null, limit: number) {
    const page = await readChanges(sql, clientId, after, limit);
    return page && { ...page, data: await withStatuses(page.changes, clientId) };
  }

  /** Reads statuses after the entries, so they are never older. */
  async function withStatuses(changes: readonly Change[], clientId: string) {
    const shops = [...new Set(changes.flatMap(({ shopId }) => shopId ?? []))];
    const [statuses, ofWebhooks] = await Promise.all([
      shops.length > 0
        ? connectionStatuses(sql, clientId, shops, config.tokens.refreshTokenTtl)
        : null,
      changes.some(isOfWebhooks) ? statusOfWebhooks(sql, clientId) : null,
    ]);
    return changes.map((change) => ({
      connection_id: change.connectionId,
      shop_id: change.shopId,
      kind: change.kind,
      // A deleted connection had ended before.
      status: isOfWebhooks(change)
        ? ofWebhooks
        : (statuses?.get(change.connectionId ?? "") ?? "revoked"),
      at: change.at,
    }));
  }

  clientEndpoint(app, {
    url: CHANGES_PATH,
    method: "GET",
    limit: "partner_api",
    schema: changesSchema,
    answer,
  });
}

const isOfWebhooks = ({ kind }: Change): boolean => kind === "webhook";

/** @throws {TokenError} unless it is a cursor of this client's changes */
function readAfter(value: string | undefined, clientId: string): ChangesCursor | null {
  if (value === undefined) return null;
  const cursor = parseCursor(value, clientId);
  if (cursor) return cursor;
  const description = "after is not a cursor of this client's changes.";
  throw new TokenError("invalid_request", description, "unknown_cursor", { param: "after" });
}

/** Design, third part: the database was restored to a state before the client's cursor. */
function refuseExpired(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  noteFacts(request, { reason: "cursor_expired", error: "cursor_expired" });
  return reply.code(410).send({ error: "cursor_expired", error_description: CURSOR_EXPIRED });
}

/** Long polls have a separate duration metric, because they wait. */
export const measuredAs = ({ routeOptions, url }: FastifyRequest): string | undefined =>
  routeOptions.url === CHANGES_PATH && /[?&]wait=[1-9]/.test(url)
    ? `${CHANGES_PATH}?wait`
    : routeOptions.url;
