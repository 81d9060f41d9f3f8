import Type, { type TSchema } from "typebox";
import { COUNTED, example, jsonAnswer, TIMESTAMP, text, textOrNull } from "../document/described.ts";
import { listSchema, pageParameters } from "../document/list.schema.ts";
import type { Operation } from "../document/operation.ts";
import { IGNORED_PARAMETERS } from "../ignored-parameters.ts";
import { BASE_URL } from "../served-document.ts";
import { CLIENT_FAULTS, CLIENT_REFUSED, invalidParameter } from "./answers.ts";
import { CONNECTION_STATUSES, CONNECTIONS_PATH } from "./protocol.ts";

const CONNECTION = {
  id: "con_018d1e2f6a1c7d3e8b4f5a6c7d8e9f01",
  shop: { id: "shop_018c2a90f3b4756e9d21c0de5f6a7b89", name: "Harbour Coffee", domain: "harbour-coffee.example" },
  status: "connected",
  scope: "responses:read sources:write",
  connected_at: "2024-01-18T19:12:44.310Z",
  last_used_at: "2024-03-01T11:02:09.000Z",
  expires_at: "2024-03-31T11:02:09.000Z",
};

const STATUS =
  "`connected`; `expired`: the refresh token was not used for its life; `revoked`: the merchant, you or an operator ended it; `disabled`: an operator's hold, which may end; " +
  "`approved`: the merchant has approved again, and you have not exchanged the code yet. More may come.";

const PartnerConnection = Type.Object(
  {
    id: text("The connection. It stays the same when the merchant connects the shop again.", CONNECTION.id),
    shop: Type.Object(
      {
        id: text("It never changes.", CONNECTION.shop.id),
        name: text("As merchants see it; it may change.", CONNECTION.shop.name),
        domain: textOrNull("The shop's domain, if it is known.", CONNECTION.shop.domain),
      },
      { description: "Whose data the connection reads." },
    ),
    status: text(STATUS, CONNECTION.status, { "x-extensible-enum": CONNECTION_STATUSES }),
    scope: text(
      "What a refresh would give now, separated by spaces; may be empty. It says nothing of whether a refresh works.",
      CONNECTION.scope,
    ),
    connected_at: textOrNull(
      "When the shop was connected, the last time if it was ended in between. Null while `approved` after an end.",
      CONNECTION.connected_at,
      TIMESTAMP,
    ),
    last_used_at: textOrNull(
      "The last use of the refresh token; it may lag behind by a 720th of its life, an hour of 30 days.",
      CONNECTION.last_used_at,
      TIMESTAMP,
    ),
    expires_at: textOrNull(
      "Until then the refresh token lives at least; each refresh extends it. Null where there is none: revoked, or approved and not exchanged.",
      CONNECTION.expires_at,
      TIMESTAMP,
    ),
  },
  { $id: "PartnerConnection", description: "One of your client's connections, present or past." },
);

export const CONNECTIONS_SCHEMAS: readonly TSchema[] = [
  PartnerConnection,
  listSchema("PartnerConnection", CONNECTIONS_PATH, CONNECTION.id),
];

export const CONNECTIONS_OPERATION: Operation = {
  method: "get",
  path: CONNECTIONS_PATH,
  tag: "Connections",
  caller: "client",
  schema: {
    operationId: "listConnections",
    summary: "A page of your client's connections, in the order of their ids.",
    description:
      "All shops that are or were connected with your client, and none of anybody else's. It has no tokens: those are in your store alone. " +
      "A connection keeps its place in the list. One that is new may stand before a page that you have read: to learn what changes, follow `GET /oauth/api/changes`.",
    querystring: Type.Object({
      ...pageParameters(CONNECTION.id),
      status: Type.Optional(
        text("Only connections of this status.", "connected", { pattern: `^(${CONNECTION_STATUSES.join("|")})$` }),
      ),
    }),
    response: {
      200: jsonAnswer("PartnerConnectionList", "The page.", [...COUNTED, "cache-control", IGNORED_PARAMETERS], {
        page: example("`?limit=1`: one connection, and there is more", {
          data: [CONNECTION],
          prev: null,
          next: `${BASE_URL}${CONNECTIONS_PATH}?limit=1&starting_after=${CONNECTION.id}`,
        }),
      }),
      400: invalidParameter({
        limit: ["limit", "limit must be an integer from 1 to 1000.", "A limit of 0"],
        status: [
          "status",
          `status must be one of ${CONNECTION_STATUSES.join(", ")}.`,
          "A status that there is none of",
        ],
        unknown_cursor: [
          "starting_after",
          "starting_after is not the id of a connection of this client.",
          "A cursor that is no connection of yours",
        ],
      }),
      401: CLIENT_REFUSED,
      ...CLIENT_FAULTS,
    },
  },
};
