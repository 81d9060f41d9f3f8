import {
  BASE_URL,
  COUNTED,
  example,
  exampleOf,
  field,
  IGNORED_PARAMETERS,
  invalid,
  invalidAnswer,
  jsonAnswer,
  listSchema,
  pageParameters,
  TIMESTAMP,
  text,
  textOrNull,
} from "@partner-connect/contract/openapi";
import Type, { type Static } from "typebox";
import { CONNECTION_STATUSES, CONNECTIONS_PATH } from "../protocol.ts";

const CONNECTION_ID = "con_018d1e2f6a1c7d3e8b4f5a6c7d8e9f01";

const STATUS =
  "`connected`; `expired`: the refresh token was not used within its lifetime; `revoked`: the merchant, you or an operator ended it, or the shop was erased; `disabled`: on hold by an operator, who may lift the hold; " +
  "`approved`: the merchant has approved again, but you have not exchanged the code yet. New values may be added.";

const PartnerConnection = Type.Object(
  {
    id: text(
      "The connection's id. It stays the same when the merchant connects the shop again.",
      CONNECTION_ID,
    ),
    shop: Type.Object(
      {
        id: text("It never changes.", "shop_018c2a90f3b4756e9d21c0de5f6a7b89"),
        name: textOrNull(
          "As merchants see it; it may change. Null once the shop is erased.",
          "Harbour Coffee",
        ),
        domain: textOrNull("The shop's domain, if it is known.", "harbour-coffee.example"),
      },
      { description: "The shop whose data the connection reads." },
    ),
    status: text(STATUS, "connected", { "x-extensible-enum": CONNECTION_STATUSES }),
    scope: text(
      "The scope that a refresh would return now, space-separated; may be empty. It does not mean that a refresh would succeed.",
      "responses:read sources:write",
    ),
    connected_at: textOrNull(
      "When the connection began, or began again after it was `revoked`. Another approval does not change it. Null while `approved` after the previous connection ended, and once the shop is erased.",
      "2024-01-18T19:12:44.310Z",
      TIMESTAMP,
    ),
    last_used_at: textOrNull(
      "Last use of the refresh token. May lag by 1/720 of the token's lifetime (one hour for 30 days). Null when `connected_at` is.",
      "2024-03-01T11:02:09.000Z",
      TIMESTAMP,
    ),
    expires_at: textOrNull(
      "The refresh token is valid at least until then; each refresh extends it. Null if there is no refresh token: revoked, or approved and not exchanged.",
      "2024-03-31T11:02:09.000Z",
      TIMESTAMP,
    ),
  },
  { $id: "PartnerConnection", description: "One of your client's connections, present or past." },
);

const ConnectionQuery = Type.Object({
  ...pageParameters(CONNECTION_ID),
  starting_after: Type.Optional(
    text(
      "Returns the page after the connection with this id, whatever its status is now. 400 if the list no longer has it.",
      CONNECTION_ID,
    ),
  ),
  status: Type.Optional(
    field(
      text("Only connections with this status.", "connected", {
        pattern: `^(${CONNECTION_STATUSES.join("|")})$`,
      }),
      `one of ${CONNECTION_STATUSES.join(", ")}`,
    ),
  ),
  id: Type.Optional(
    field(
      text(
        "Only the connection with this id, and with `status` if that is sent too. The list is empty if it is not one of your client's.",
        CONNECTION_ID,
        { pattern: "^[A-Za-z0-9_-]{1,64}$" },
      ),
      "a connection's id",
    ),
  ),
});

export type ConnectionQuery = Static<typeof ConnectionQuery>;

export const schema = {
  operationId: "listConnections",
  tags: ["Connections"],
  summary: "Lists your client's connections, ordered by id.",
  description:
    "All shops that are or were connected with your client; ended ones for 400 days from their end or last use. Tokens are not included: only your own store has them. " +
    "A connection keeps its position in the list. A new one may sort before a page that you have read: follow `GET /oauth/api/changes` to learn of changes.",
  querystring: ConnectionQuery,
  response: {
    200: jsonAnswer(
      listSchema(PartnerConnection, CONNECTIONS_PATH, CONNECTION_ID),
      "The page.",
      [...COUNTED, "cache-control", IGNORED_PARAMETERS],
      {
        page: example("`?limit=1`: one connection, and there is more", {
          data: [exampleOf(PartnerConnection)],
          prev: null,
          next: `${BASE_URL}${CONNECTIONS_PATH}?limit=1&starting_after=${CONNECTION_ID}`,
        }),
      },
    ),
    400: invalidAnswer(
      {
        limit: invalid("limit", "limit must be an integer from 1 to 1000.", "A limit of 0"),
        status: invalid(
          "status",
          `status must be one of ${CONNECTION_STATUSES.join(", ")}.`,
          "An unknown status",
        ),
        unknown_cursor: invalid(
          "starting_after",
          "starting_after is not the id of a connection of this client.",
          "A cursor that is not one of your connections",
        ),
      },
      "cache-control",
    ),
  },
};
