import {
  COUNTED,
  example,
  exampleOf,
  IGNORED_PARAMETERS,
  integer,
  invalid,
  invalidAnswer,
  jsonAnswer,
  limitParameter,
  TIMESTAMP,
  text,
  textOrNull,
} from "@partner-connect/contract/openapi";
import Type, { type Static } from "typebox";
import { CONNECTION_STATUSES, CURSOR_EXPIRED, MAX_WAIT_SECONDS } from "../protocol.ts";

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
      "con_018d1e2f6a1c7d3e8b4f5a6c7d8e9f01",
    ),
    shop_id: textOrNull(
      "Its shop. Null for kind `webhook`.",
      "shop_018c2a90f3b4756e9d21c0de5f6a7b89",
    ),
    kind: text(KIND, "responses", {
      "x-extensible-enum": ["responses", "deletions", "questions", "connection", "webhook"],
    }),
    status: text(STATUS, "connected", {
      "x-extensible-enum": [...CONNECTION_STATUSES, "active", "paused"],
    }),
    at: text("When it changed.", "2024-03-05T14:30:00.000Z", TIMESTAMP),
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
      "The position after this page: pass it as `after`. Opaque; store it together with what you have to read.",
      CURSOR,
      { maxLength: 200 },
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

export type ChangesQuery = Static<typeof ChangesQuery>;

export const schema = {
  operationId: "listChanges",
  tags: ["Connections"],
  summary: "Lists which of your client's connections changed, and what kind of change.",
  description:
    "One cursor for all shops. No change is ever missed, or inserted before a position that you have passed. Reading the data itself takes each shop's access token. " +
    "Changes don't expire with time, but those of ended connections are kept for 400 days: a client that returns after a year reads one entry per changed connection and kind.",
  querystring: ChangesQuery,
  response: {
    200: jsonAnswer(
      ChangesPage,
      "A page of changes; may be empty.",
      [...COUNTED, "cache-control", IGNORED_PARAMETERS],
      {
        page: example("One shop has new responses", {
          data: [exampleOf(ChangeEntry)],
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
