import { type AccessTokenClaims, isScope, parseScope } from "@partner-connect/contract";
import type { TokenReason } from "../errors/reason.ts";
import type { ConnectedClient } from "./caller.ts";

export interface TokenExpectations {
  readonly issuer: string;
  readonly audience: string;
}

/** `iat` and `nbf` may be this far ahead: the clocks of two services differ. */
const MAX_IAT_AHEAD_SECONDS = 60;

const MALFORMED = "malformed_token";

/**
 * The claims, or why not: one is missing or malformed, the token is not for this service, has expired (without
 * tolerance), or comes from the future. RFC 9068 §4, RFC 8725 §3.8-3.10.
 * @param now seconds since the epoch
 */
export function checkClaims(
  claims: Readonly<Record<string, unknown>>,
  expected: TokenExpectations,
  now: number,
): AccessTokenClaims | TokenReason {
  const { iss, aud, sub, client_id, scope, jti, iat, exp, connection_id, grant_id, generation, nbf } = claims;
  if (iss !== expected.issuer) return "wrong_issuer";
  if (aud !== expected.audience) return "wrong_audience";
  if (!isTime(exp) || !isTime(iat) || !(nbf === undefined || isTime(nbf))) return MALFORMED;
  if (exp <= now) return "token_expired";
  if (Math.max(iat, nbf ?? 0) > now + MAX_IAT_AHEAD_SECONDS) return "token_not_yet_valid";
  if (!isName(sub) || !isName(client_id) || !isName(jti) || !isName(connection_id) || !isName(grant_id))
    return MALFORMED;
  if (typeof scope !== "string" || (scope !== "" && parseScope(scope) === null)) return MALFORMED; // empty: nothing is left of it
  if (typeof generation !== "number" || !Number.isSafeInteger(generation) || generation < 0) return MALFORMED;
  return { iss, aud, sub, client_id, scope, jti, iat, exp, connection_id, grant_id, generation };
}

/** The client that the checked claims name. */
export function callerOf(claims: AccessTokenClaims): ConnectedClient {
  return {
    kind: "connection",
    id: claims.connection_id,
    shopId: claims.sub,
    clientId: claims.client_id,
    generation: claims.generation,
    scope: (parseScope(claims.scope) ?? []).filter(isScope),
  };
}

function isTime(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value) && value >= 0;
}

/** Identifiers of this system are short, and visible ASCII: safe for a database and for a log. */
function isName(value: unknown): value is string {
  return typeof value === "string" && /^[\x21-\x7e]{1,255}$/.test(value);
}
