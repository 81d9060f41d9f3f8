import { scopeOfPlan } from "@partner-connect/contract";
import type { FastifyInstance } from "fastify";
import type { Caller } from "../authentication/caller.ts";
import { refusal } from "../authorization/caller-state.query.ts";
import { commonScope } from "../authorization/require-scope.ts";
import { forbidden } from "../errors/api-error.ts";
import type { RouteOptions } from "../route-options.ts";
import { type ConnectionRow, readConnectionSql } from "./read-connection.query.ts";

/** Design, GET /api/connection: for whom a credential speaks, so that nobody has to read an access token. */
export function connectionRoute(app: FastifyInstance, { databases, refreshTokenTtlSeconds }: RouteOptions): void {
  const route = { config: { scope: "any" } } as const;
  app.get("/api/connection", route, async ({ caller }, reply) => {
    const { text, values } = readConnectionSql(caller, refreshTokenTtlSeconds);
    const [row] = await databases.reads.unsafe<ConnectionRow[]>(text, values, { prepare: true });
    if (!row) throw forbidden("unknown_connection"); // the connection is gone: its caller is refused as elsewhere
    const refused = refusal(row.state);
    if (refused) throw refused;
    return await reply
      .header("cache-control", "private, no-cache")
      .header("vary", "authorization")
      .type("application/json; charset=utf-8")
      .send(answer(caller, row));
  });
}

function answer(caller: Caller, row: ConnectionRow): object {
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
