import { type ClientConnection, clientConnections } from "@partner-connect/connections";
import { grantableScope } from "@partner-connect/contract";
import type { Client } from "@partner-connect/directory";
import {
  CONNECTION_STATUSES,
  CONNECTIONS_PARAMETERS,
  CONNECTIONS_PATH,
  nameIgnored,
} from "@partner-connect/public-api";
import type { FastifyInstance } from "fastify";
import { clientEndpoint } from "../token/client-endpoint.ts";
import { ParameterError, type Query, queryOf, readLimit, single } from "./query-parameters.ts";

/** Design, GET /oauth/api/connections: all connections of the client that asks, present and past. */
export function connectionsRoute(app: FastifyInstance): void {
  const { sql, config } = app;
  const { refreshTokenTtl, issuer } = config.tokens;
  const { partnerApi: rateLimit } = config.rateLimits;
  const answer: Parameters<typeof clientEndpoint>[1]["answer"] = async (request, reply, client) => {
    const query = queryOf(request.url);
    const limit = readLimit(query);
    const status = readStatus(query);
    const { direction, cursor, name } = readCursor(query);
    const asked = { direction, cursor, status, limit };
    const page = await clientConnections(sql, client.clientId, asked, refreshTokenTtl);
    if (page === null) throw unknownCursor(name);
    nameIgnored(reply, query.keys(), CONNECTIONS_PARAMETERS);
    const given = ["limit", "status"].flatMap((key) =>
      query.getAll(key).map((value): [string, string] => [key, value]),
    );
    const link = (cursorName: string, row: ClientConnection | undefined): string | null =>
      row ? `${issuer}${CONNECTIONS_PATH}?${new URLSearchParams([...given, [cursorName, row.id]])}` : null;
    return reply.send({
      data: page.rows.map((row) => recordOf(row, client)),
      prev: page.precedes ? link("ending_before", page.rows[0]) : null,
      next: page.follows ? link("starting_after", page.rows.at(-1)) : null,
    });
  };
  clientEndpoint(app, { url: CONNECTIONS_PATH, method: "GET", limit: "partner_api", rateLimit, answer });
}

/** `scope`: what a refresh would give now. */
const recordOf = (row: ClientConnection, client: Client) => ({
  id: row.id,
  shop: { id: row.shopId, name: row.shopName, domain: row.shopDomain },
  status: row.status,
  scope: grantableScope(row.scope, client.scope, row.plan).join(" "),
  connected_at: row.connectedAt,
  last_used_at: row.lastUsedAt,
  expires_at: row.expiresAt,
});

function readStatus(query: Query): (typeof CONNECTION_STATUSES)[number] | undefined {
  const value = single(query, "status");
  const status = CONNECTION_STATUSES.find((known) => known === value);
  if (status !== value) throw new ParameterError("status", `status must be one of ${CONNECTION_STATUSES.join(", ")}.`);
  return status;
}

/** @throws {ParameterError} for both at once, and for what can't be an id */
function readCursor(query: Query) {
  const [after, before] = [single(query, "starting_after"), single(query, "ending_before")];
  if (after !== undefined && before !== undefined)
    throw new ParameterError("ending_before", "ending_before and starting_after cannot be used together.");
  const cursor = after ?? before;
  const [direction, name] =
    before === undefined ? (["forward", "starting_after"] as const) : (["backward", "ending_before"] as const);
  if (cursor !== undefined && !/^[A-Za-z0-9_-]{1,64}$/.test(cursor)) throw unknownCursor(name);
  return { direction, name, cursor };
}

/** One answer for every id that is none of this client's connections, another client's included. */
const unknownCursor = (name: string): ParameterError =>
  new ParameterError(name, `${name} is not the id of a connection of this client.`, "unknown_cursor");
