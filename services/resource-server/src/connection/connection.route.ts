import { type Plan, SCOPES, type Scope, scopeOfPlan } from "@partner-connect/contract";
import type { FastifyInstance } from "fastify";
import type { Caller } from "../authentication/caller.ts";
import {
  type CallerState,
  callerStateSql,
  refusalOf,
} from "../authorization/caller-state.query.ts";
import { Statement } from "../statement.ts";
import { schema } from "./connection.schema.ts";

/**
 * Design, GET /api/connection: describes the credential's connection, so that clients need not
 * parse access tokens.
 */
export function connectionRoute(app: FastifyInstance): void {
  const { databases, refreshTokenTtlSeconds } = app;
  app.get("/api/connection", { config: { scope: "any" }, schema }, async ({ caller }, reply) => {
    const { text, values } = readConnectionSql(caller, refreshTokenTtlSeconds);
    const [row] = await databases.reads.unsafe<ConnectionRow[]>(text, values, { prepare: true });
    // The key or the connection was deleted.
    if (!row) throw refusalOf(caller.kind === "api_key" ? "unknown_api_key" : "unknown_connection");
    const refused = refusalOf(row.state);
    if (refused) throw refused;
    return await reply
      .header("cache-control", "private, no-cache")
      .header("vary", "authorization")
      .type("application/json; charset=utf-8")
      .send(bodyOf(caller, row));
  });
}

function bodyOf(caller: Caller, row: ConnectionRow): object {
  const ofPlan = scopeOfPlan(row.plan);
  const isKey = caller.kind === "api_key";
  return {
    id: isKey ? null : caller.id,
    shop: { id: row.shop_id, name: row.name, domain: row.domain, plan: row.plan },
    client_id: isKey ? null : caller.clientId,
    scope: isKey ? commonScope(ofPlan) : commonScope(caller.scope, row.scope ?? [], ofPlan),
    connected_at: row.connected_at,
    last_used_at: row.last_used_at,
    expires_at: row.expires_at,
  };
}

/** Returns the scopes that all lists contain, delimited by spaces, in the order of `SCOPES`. */
function commonScope(...lists: readonly (readonly string[])[]): string {
  return SCOPES.filter((scope) => lists.every((list) => list.includes(scope))).join(" ");
}

interface ConnectionRow {
  readonly state: CallerState;
  readonly shop_id: string;
  readonly name: string;
  readonly domain: string | null;
  readonly plan: Plan;
  /** Null for an API key, like the times. */
  readonly scope: readonly Scope[] | null;
  readonly connected_at: string | null;
  readonly last_used_at: string | null;
  readonly expires_at: string | null;
}

/**
 * Selects shop, connection and caller state. Index: shops_pkey, connections_pkey, clients_pkey,
 * api_keys_pkey.
 */
function readConnectionSql(caller: Caller, refreshTokenTtlSeconds: number): Statement {
  const statement = new Statement();
  const shop = statement.bind(caller.shopId);
  const state = callerStateSql(caller, "any", statement, shop);
  const ofShop = `${state} AS state, s.id AS shop_id, s.name, s.domain, s.plan`;
  if (caller.kind === "api_key") {
    statement.text = `SELECT ${ofShop}, NULL AS scope, NULL AS connected_at, NULL AS last_used_at, NULL AS expires_at
FROM directory.shops s WHERE s.id = ${shop}`;
    return statement;
  }
  const expiry = `c.last_used_at + make_interval(secs => ${statement.bind(refreshTokenTtlSeconds)})`;
  statement.text = `SELECT ${ofShop}, c.scope, survey.timestamp_text(c.connected_at) AS connected_at,
  survey.timestamp_text(c.last_used_at) AS last_used_at,
  survey.timestamp_text(CASE WHEN c.exchanged_at IS NOT NULL THEN ${expiry} END) AS expires_at
FROM directory.shops s JOIN oauth.connections c ON c.shop_id = s.id
WHERE s.id = ${shop} AND c.client_id = ${statement.bind(caller.clientId)} AND c.id = ${statement.bind(caller.id)}`;
  return statement;
}
