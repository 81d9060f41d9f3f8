import { type PastConnection, pastConnections } from "@partner-connect/connections";
import { grantableScope } from "@partner-connect/contract";
import {
  BASE_URL,
  COUNTED,
  example,
  field,
  IGNORED_PARAMETERS,
  invalid,
  invalidAnswer,
  jsonAnswer,
  listSchema,
  PAGE_LIMIT,
  pageParameters,
  TIMESTAMP,
  text,
  textOrNull,
} from "@partner-connect/contract/openapi";
import type { Client } from "@partner-connect/directory";
import type { FastifyInstance } from "fastify";
import Type, { type Static } from "typebox";
import { CONNECTION_STATUSES, CONNECTIONS_PATH } from "../protocol.ts";
import { clientEndpoint } from "../token/client-endpoint.ts";
import { TokenError } from "../token/token-request.ts";

const CONNECTION = {
  id: "con_018d1e2f6a1c7d3e8b4f5a6c7d8e9f01",
  shop: {
    id: "shop_018c2a90f3b4756e9d21c0de5f6a7b89",
    name: "Harbour Coffee",
    domain: "harbour-coffee.example",
  },
  status: "connected",
  scope: "responses:read sources:write",
  connected_at: "2024-01-18T19:12:44.310Z",
  last_used_at: "2024-03-01T11:02:09.000Z",
  expires_at: "2024-03-31T11:02:09.000Z",
};

const STATUS =
  "`connected`; `expired`: the refresh token was not used within its lifetime; `revoked`: the merchant, you or an operator ended it, or the shop was erased; `disabled`: on hold by an operator, who may lift the hold; " +
  "`approved`: the merchant has approved again, but you have not exchanged the code yet. New values may be added.";

const PartnerConnection = Type.Object(
  {
    id: text(
      "The connection's id. It stays the same when the merchant connects the shop again.",
      CONNECTION.id,
    ),
    shop: Type.Object(
      {
        id: text("It never changes.", CONNECTION.shop.id),
        name: textOrNull(
          "As merchants see it; it may change. Null once the shop is erased.",
          CONNECTION.shop.name,
        ),
        domain: textOrNull("The shop's domain, if it is known.", CONNECTION.shop.domain),
      },
      { description: "The shop whose data the connection reads." },
    ),
    status: text(STATUS, CONNECTION.status, { "x-extensible-enum": CONNECTION_STATUSES }),
    scope: text(
      "The scope that a refresh would return now, space-separated; may be empty. It does not mean that a refresh would succeed.",
      CONNECTION.scope,
    ),
    connected_at: textOrNull(
      "When the shop was last connected. Null while `approved` after the previous connection ended, and once the shop is erased.",
      CONNECTION.connected_at,
      TIMESTAMP,
    ),
    last_used_at: textOrNull(
      "Last use of the refresh token. May lag by 1/720 of the token's lifetime (one hour for 30 days). Null when `connected_at` is.",
      CONNECTION.last_used_at,
      TIMESTAMP,
    ),
    expires_at: textOrNull(
      "The refresh token is valid at least until then; each refresh extends it. Null if there is no refresh token: revoked, or approved and not exchanged.",
      CONNECTION.expires_at,
      TIMESTAMP,
    ),
  },
  { $id: "PartnerConnection", description: "One of your client's connections, present or past." },
);

const ConnectionQuery = Type.Object({
  ...pageParameters(CONNECTION.id),
  status: Type.Optional(
    field(
      text("Only connections with this status.", "connected", {
        pattern: `^(${CONNECTION_STATUSES.join("|")})$`,
      }),
      `one of ${CONNECTION_STATUSES.join(", ")}`,
    ),
  ),
});

const schema = {
  operationId: "listConnections",
  tags: ["Connections"],
  summary: "Lists your client's connections, ordered by id.",
  description:
    "All shops that are or were connected with your client; erased ones for 400 days. Tokens are not included: only your own store has them. " +
    "A connection keeps its position in the list. A new one may sort before a page that you have read: follow `GET /oauth/api/changes` to learn of changes.",
  querystring: ConnectionQuery,
  response: {
    200: jsonAnswer(
      listSchema(PartnerConnection, CONNECTIONS_PATH, CONNECTION.id),
      "The page.",
      [...COUNTED, "cache-control", IGNORED_PARAMETERS],
      {
        page: example("`?limit=1`: one connection, and there is more", {
          data: [CONNECTION],
          prev: null,
          next: `${BASE_URL}${CONNECTIONS_PATH}?limit=1&starting_after=${CONNECTION.id}`,
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

/** Design, GET /oauth/api/connections: all connections of the client, including ended ones. */
export function connectionsRoute(app: FastifyInstance): void {
  const { sql, config } = app;
  const { refreshTokenTtl, issuer } = config.tokens;
  const answer: Parameters<typeof clientEndpoint>[1]["answer"] = async (request, reply, client) => {
    const query = request.query as Static<typeof ConnectionQuery>;
    const { limit = PAGE_LIMIT.fallback } = query;
    const status = CONNECTION_STATUSES.find((known) => known === query.status);
    const { direction, cursor, name } = readCursor(query);
    const asked = { direction, cursor, status, limit };
    const page = await pastConnections(sql, client.clientId, asked, refreshTokenTtl);
    if (page === null) throw unknownCursor(name);
    const given = (["limit", "status"] as const).flatMap((key): [string, string][] =>
      query[key] === undefined ? [] : [[key, String(query[key])]],
    );
    const link = (cursorName: string, row: PastConnection | undefined): string | null =>
      row
        ? `${issuer}${CONNECTIONS_PATH}?${new URLSearchParams([...given, [cursorName, row.id]])}`
        : null;
    return reply.send({
      data: page.rows.map((row) => recordOf(row, client)),
      prev: page.precedes ? link("ending_before", page.rows[0]) : null,
      next: page.follows ? link("starting_after", page.rows.at(-1)) : null,
    });
  };
  clientEndpoint(app, {
    url: CONNECTIONS_PATH,
    method: "GET",
    limit: "partner_api",
    schema,
    answer,
  });
}

/** `scope` is the scope that a refresh would return now. */
const recordOf = (row: PastConnection, client: Client) => ({
  id: row.id,
  shop: { id: row.shopId, name: row.shopName, domain: row.shopDomain },
  status: row.status,
  scope: grantableScope(row.scope, client.scope, row.plan).join(" "),
  connected_at: row.connectedAt,
  last_used_at: row.lastUsedAt,
  expires_at: row.expiresAt,
});

/** @throws {TokenError} for both cursors at once, and for an impossible id */
function readCursor({
  starting_after: after,
  ending_before: before,
}: Static<typeof ConnectionQuery>) {
  if (after !== undefined && before !== undefined) {
    const description = "ending_before and starting_after cannot be used together.";
    throw new TokenError("invalid_request", description, "invalid_parameter", {
      param: "ending_before",
    });
  }
  const cursor = after ?? before;
  const [direction, name] =
    before === undefined
      ? (["forward", "starting_after"] as const)
      : (["backward", "ending_before"] as const);
  if (cursor !== undefined && !/^[A-Za-z0-9_-]{1,64}$/.test(cursor)) throw unknownCursor(name);
  return { direction, name, cursor };
}

/**
 * The same error for every id that is not a connection of this client, including other clients'
 * ids.
 */
const unknownCursor = (param: string): TokenError =>
  new TokenError(
    "invalid_request",
    `${param} is not the id of a connection of this client.`,
    "unknown_cursor",
    {
      param,
    },
  );
