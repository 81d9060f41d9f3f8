import type { Plan, Scope } from "@partner-connect/contract";
import type { Caller } from "../authentication/caller.ts";
import { type CallerState, callerStateSql, Statement } from "../authorization/caller-state.query.ts";

export interface ConnectionRow {
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

/** Selects shop, connection and caller state. Index: shops_pkey, connections_pkey, clients_pkey, api_keys_pkey. */
export function readConnectionSql(caller: Caller, refreshTokenTtlSeconds: number): Statement {
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
