import {
  COUNTED,
  example,
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
import Type from "typebox";
import { CONNECTION_STATUSES, CURSOR_EXPIRED, MAX_WAIT_SECONDS } from "../protocol.ts";

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
  "`connection`: it was connected, connected again, put on hold or ended. `webhook` concerns no connection: an endpoint of yours was paused or goes on. More may come.";

const STATUS =
  "At the time of this answer: of the connection, as in the list of connections. Of kind `webhook`: `paused` while one of your endpoints is, else `active`.";

const Change = Type.Object(
  {
    connection_id: textOrNull("Which connection has something new. Null of kind `webhook`.", CHANGE.connection_id),
    shop_id: textOrNull("Its shop. Null of kind `webhook`.", CHANGE.shop_id),
    kind: text(KIND, CHANGE.kind, {
      "x-extensible-enum": ["responses", "deletions", "questions", "connection", "webhook"],
    }),
    status: text(STATUS, CHANGE.status, { "x-extensible-enum": [...CONNECTION_STATUSES, "active", "paused"] }),
    at: text("When it changed.", CHANGE.at, TIMESTAMP),
  },
  { $id: "Change", description: "That a connection has something new of one kind. It names no content." },
);

const ChangesPage = Type.Object(
  {
    data: Type.Array(Change, {
      description: "What is new behind the cursor, oldest first; of a connection and kind the latest alone.",
    }),
    cursor: text("Where you are now: pass it as `after`. Opaque; store it when you have done what is here.", CURSOR, {
      maxLength: 200,
    }),
    has_more: Type.Boolean({ description: "Whether more is behind this page now.", examples: [false] }),
  },
  { $id: "ChangesPage", description: "A page of your client's changes." },
);

const CursorExpired = Type.Object(
  {
    error: text("Branch on the status and on this.", "cursor_expired"),
    error_description: text("For people; it may change.", "read from the beginning"),
  },
  { $id: "CursorExpired", description: "What this cursor has seen is no longer in our database." },
);

export const ChangesQuery = Type.Object({
  after: Type.Optional(text("The `cursor` of your last answer. Without it: from the beginning.", CURSOR)),
  limit: limitParameter("How many entries a page has at most.", 100),
  wait: Type.Optional(
    integer([0, MAX_WAIT_SECONDS], {
      default: 0,
      description:
        "Seconds for which the call waits while there is nothing new. It may be answered earlier, with nothing.",
      examples: [MAX_WAIT_SECONDS],
    }),
  ),
});

export const changesSchema = {
  operationId: "listChanges",
  tags: ["Connections"],
  summary: "Which of your client's connections has something new, and of what kind.",
  description:
    "One cursor for all shops: nothing is ever missed, and nothing appears behind a reader. The data itself stays behind each shop's access token. " +
    "Changes never expire: who comes back after a year reads one entry for each connection and kind that differs.",
  querystring: ChangesQuery,
  response: {
    200: jsonAnswer(ChangesPage, "What is new, or nothing.", [...COUNTED, "cache-control", IGNORED_PARAMETERS], {
      page: example("One shop has new responses", { data: [CHANGE], cursor: CURSOR, has_more: false }),
    }),
    400: invalidAnswer(
      {
        after: invalid(
          "after",
          "after is not a cursor of this client's changes.",
          "A cursor of another client, of another list, or edited",
        ),
        wait: invalid("wait", `wait must be an integer from 0 to ${MAX_WAIT_SECONDS}.`, "Longer than a call may wait"),
      },
      "cache-control",
    ),
    410: jsonAnswer(
      CursorExpired,
      "Our database was restored to an earlier time, or lost its last seconds. Read from the beginning: one entry for each connection and kind.",
      [...COUNTED, "cache-control"],
      {
        cursor_expired: example("A cursor that has seen what is gone", {
          error: "cursor_expired",
          error_description: CURSOR_EXPIRED,
        }),
      },
    ),
  },
};
