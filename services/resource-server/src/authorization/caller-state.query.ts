import { PLANS, type Scope, scopeOfPlan } from "@partner-connect/contract";
import type { Queries } from "@partner-connect/database";
import type { Caller } from "../authentication/caller.ts";
import {
  type ApiError,
  type ApiKeyReason,
  type CallerReason,
  forbidden,
  insufficientScope,
  refusedCredential,
} from "../errors/api-error.ts";
import { Statement } from "../statement.ts";
import type { RequiredScope } from "./require-scope.ts";

/**
 * The caller's state: `allowed`, or why it may not call. A read gets it with the statement that
 * reads the data; a write reads it before its commit.
 */
export type CallerState =
  | "allowed"
  | CallerReason
  | ApiKeyReason
  | "connection_lacks_scope"
  | "plan_lacks_scope";

/**
 * Returns the error for the state, or null. A revoked API key is not a credential, so it gets 401.
 */
export function refusalOf(state: CallerState): ApiError | null {
  switch (state) {
    case "allowed":
      return null;
    case "connection_lacks_scope":
    case "plan_lacks_scope":
      return insufficientScope(state);
    case "unknown_api_key":
    case "revoked_api_key":
      return refusedCredential(state);
    default:
      return forbidden(state);
  }
}

/**
 * An SQL expression of the {@link CallerState}. `shop` is a parameter. Index: connections_pkey,
 * clients_pkey; api_keys_pkey.
 */
export function callerStateSql(
  caller: Caller,
  scope: RequiredScope,
  statement: Statement,
  shop: string,
): string {
  const id = statement.bind(caller.id);
  const planAllows = scope === "any" ? "true" : planAllowsSql(scope, shop);
  const hasScope = scope === "any" ? "true" : `c.scope @> ARRAY['${scope}']`;
  if (caller.kind === "api_key") {
    return `coalesce((
      SELECT CASE WHEN revoked_at IS NOT NULL THEN 'revoked_api_key' WHEN ${planAllows} THEN 'allowed' ELSE 'plan_lacks_scope' END
      FROM directory.api_keys WHERE id = ${id} AND shop_id = ${shop}), 'unknown_api_key')`;
  }
  return `coalesce((
    SELECT CASE
      WHEN c.status <> 'connected' THEN CASE c.status WHEN 'approved' THEN 'connection_not_exchanged' ELSE 'connection_revoked' END
      WHEN c.disabled THEN 'connection_disabled'
      WHEN client.status <> 'active' THEN 'client_disabled'
      WHEN c.generation <> ${statement.bind(caller.generation)} THEN 'token_superseded'
      WHEN ${hasScope} AND ${planAllows} THEN 'allowed'
      WHEN ${hasScope} THEN 'plan_lacks_scope' ELSE 'connection_lacks_scope' END
    FROM oauth.connections c JOIN directory.clients client ON client.client_id = c.client_id
    WHERE c.shop_id = ${shop} AND c.client_id = ${statement.bind(caller.clientId)} AND c.id = ${id}), 'unknown_connection')`;
}

export async function readCallerState(
  sql: Queries,
  caller: Caller,
  scope: RequiredScope,
): Promise<CallerState> {
  const statement = new Statement();
  const stateSql = callerStateSql(caller, scope, statement, statement.bind(caller.shopId));
  const [{ state }] = await sql.unsafe<[{ state: CallerState }]>(
    `SELECT ${stateSql} AS state`,
    statement.values,
    { prepare: true },
  );
  return state;
}

/** SQL: the plan allows the scope; `true` if all plans do (responses:read). Index: shops_pkey. */
function planAllowsSql(scope: Scope, shop: string): string {
  const plans = PLANS.filter((plan) => scopeOfPlan(plan).includes(scope));
  if (plans.length === PLANS.length) return "true";
  return `(SELECT plan FROM directory.shops WHERE id = ${shop}) IN (${plans.map((plan) => `'${plan}'`).join(", ")})`;
}
