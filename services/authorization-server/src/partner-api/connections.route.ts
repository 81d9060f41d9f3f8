import { type AnyConnection, allConnections } from "@partner-connect/connections";
import { grantableScope } from "@partner-connect/contract";
import { PAGE_LIMIT } from "@partner-connect/contract/openapi";
import type { Client } from "@partner-connect/directory";
import type { FastifyInstance } from "fastify";
import { addClientEndpoint } from "../clients/client-endpoint.ts";
import { TokenError } from "../clients/token-error.ts";
import { CONNECTION_STATUSES, CONNECTIONS_PATH } from "../protocol.ts";
import { type ConnectionQuery, schema } from "./connections.schema.ts";

/** GET /oauth/api/connections: all connections of the client, including ended ones. */
export function connectionsRoute(app: FastifyInstance): void {
  const { sql, config } = app;
  const { refreshTokenTtl, issuer } = config.tokens;
  addClientEndpoint(app, {
    url: CONNECTIONS_PATH,
    method: "GET",
    limit: "partner_api",
    schema,
    async answer(request, reply, client) {
      const query = request.query as ConnectionQuery;
      const { limit = PAGE_LIMIT.fallback } = query;
      const status = CONNECTION_STATUSES.find((known) => known === query.status);
      const { direction, cursor, name } = readCursor(query);
      const only = query.id === undefined ? undefined : [query.id];
      const asked = { direction, cursor, status, only, limit };
      const page = await allConnections(sql, client.clientId, asked, refreshTokenTtl);
      if (page === null) throw unknownCursor(name);
      const given = (["limit", "status", "id"] as const).flatMap((key): [string, string][] =>
        query[key] === undefined ? [] : [[key, String(query[key])]],
      );
      const link = (cursorName: string, row: AnyConnection | undefined): string | null =>
        row
          ? `${issuer}${CONNECTIONS_PATH}?${new URLSearchParams([...given, [cursorName, row.id]])}`
          : null;
      return reply.send({
        data: page.rows.map((row) => recordOf(row, client)),
        prev: page.precedes ? link("ending_before", page.rows[0]) : null,
        next: page.follows ? link("starting_after", page.rows.at(-1)) : null,
      });
    },
  });
}

/** A connection as the API returns it. `scope` is the scope that a refresh would return now. */
const recordOf = (row: AnyConnection, client: Client) => ({
  id: row.id,
  shop: { id: row.shopId, name: row.shopName, domain: row.shopDomain },
  status: row.status,
  scope: grantableScope(row.scope, client.scope, row.plan).join(" "),
  connected_at: row.connectedAt,
  last_used_at: row.lastUsedAt,
  expires_at: row.expiresAt,
});

/** @throws {TokenError} if both cursors are sent, or the cursor can't be a connection's id */
function readCursor({ starting_after: after, ending_before: before }: ConnectionQuery) {
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

/** The refusal of an unknown cursor. It is the same for the id of another client's connection. */
function unknownCursor(param: string): TokenError {
  const description = `${param} is not the id of a connection of this client.`;
  return new TokenError("invalid_request", description, "unknown_cursor", { param });
}
