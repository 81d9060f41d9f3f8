import {
  ACCESS_TOKEN_TYPE,
  type AccessTokenClaims,
  isScope,
  parseScope,
  SIGNING_ALGORITHMS,
} from "@partner-connect/contract";
import { errors, jwtVerify } from "jose";
import { type ApiError, type TokenReason, unauthorized } from "../errors/api-error.ts";
import type { ConnectedClient } from "./caller.ts";
import type { KeySet } from "./key-set.ts";

export interface VerifiedToken {
  readonly caller: ConnectedClient;
  readonly kid: string;
  /** Seconds since the epoch. */
  readonly exp: number;
}

/**
 * Returns the token's client. Checks claims first, because the signature costs more.
 * @throws {ApiError} 401 @throws {KeysUnavailableError}
 */
export async function verifyAccessToken(
  token: string,
  keys: KeySet,
  expected: TokenExpectations,
  now: number,
): Promise<VerifiedToken> {
  const unverified = readUnverified(token);
  if (!unverified) throw refused(MALFORMED);
  checkClaims(unverified.claims, expected, now);
  const key = await keys.find(unverified.kid);
  if (!key) throw refused("unknown_key");
  try {
    const { payload } = await jwtVerify(token, key, {
      algorithms: [...SIGNING_ALGORITHMS],
      typ: ACCESS_TOKEN_TYPE,
      currentDate: new Date(now * 1000),
    });
    const claims = checkClaims(payload, expected, now);
    return { caller: callerOf(claims), kid: unverified.kid, exp: claims.exp };
  } catch (error) {
    if (error instanceof errors.JOSEError || error instanceof TypeError)
      throw refused("bad_signature");
    throw error;
  }
}

export interface TokenExpectations {
  readonly issuer: string;
  readonly audience: string;
}

/** Tolerance for `iat` and `nbf` in the future, because the clocks of two services differ. */
const MAX_IAT_AHEAD_SECONDS = 60;

const MALFORMED = "malformed_token";

const refused = (reason: TokenReason): ApiError => unauthorized(reason);

/**
 * The claims (RFC 9068 §4, RFC 8725 §3.8-3.10). `now` is in seconds. `exp` has no tolerance.
 * @throws {ApiError} 401
 */
function checkClaims(
  claims: Readonly<Record<string, unknown>>,
  expected: TokenExpectations,
  now: number,
): AccessTokenClaims {
  const {
    iss,
    aud,
    sub,
    client_id,
    scope,
    jti,
    iat,
    exp,
    connection_id,
    grant_id,
    generation,
    nbf,
  } = claims;
  if (iss !== expected.issuer) throw refused("wrong_issuer");
  if (aud !== expected.audience) throw refused("wrong_audience");
  if (!isTime(exp) || !isTime(iat) || !(nbf === undefined || isTime(nbf))) throw refused(MALFORMED);
  if (exp <= now) throw refused("token_expired");
  if (Math.max(iat, nbf ?? 0) > now + MAX_IAT_AHEAD_SECONDS) throw refused("token_not_yet_valid");
  if (
    !isName(sub) ||
    !isName(client_id) ||
    !isName(jti) ||
    !isName(connection_id) ||
    !isName(grant_id)
  )
    throw refused(MALFORMED);
  // empty: no scope is left
  if (typeof scope !== "string" || (scope !== "" && parseScope(scope) === null))
    throw refused(MALFORMED);
  if (typeof generation !== "number" || !Number.isSafeInteger(generation) || generation < 0)
    throw refused(MALFORMED);
  return { iss, aud, sub, client_id, scope, jti, iat, exp, connection_id, grant_id, generation };
}

function callerOf(claims: AccessTokenClaims): ConnectedClient {
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

/** Our identifiers are short visible ASCII, safe for a database and a log. */
function isName(value: unknown): value is string {
  return typeof value === "string" && /^[\x21-\x7e]{1,255}$/.test(value);
}

/** Our tokens are below 1 KB; longer ones are refused before decoding. */
const MAX_TOKEN_LENGTH = 4096;

const COMPACT = /^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+$/;

/**
 * Headers by which a token would choose its own key, or request processing that we don't support
 * (RFC 8725 §3.1, §3.10).
 */
const REFUSED = ["jku", "jwk", "x5u", "x5c", "crit", "b64", "zip"];

interface UnverifiedToken {
  readonly kid: string;
  readonly claims: Readonly<Record<string, unknown>>;
}

/** Returns key id and claims, unverified; null if the token does not have the form of ours. */
function readUnverified(token: string): UnverifiedToken | null {
  if (token.length > MAX_TOKEN_LENGTH || !COMPACT.test(token)) return null;
  const [head = "", body = ""] = token.split(".", 2);
  const header = decode(head);
  const claims = decode(body);
  if (!header || !claims) return null;
  const { alg, typ, kid } = header;
  if (!SIGNING_ALGORITHMS.some((allowed) => allowed === alg) || typ !== ACCESS_TOKEN_TYPE)
    return null;
  if (typeof kid !== "string" || kid.length < 1 || kid.length > 128) return null;
  if (REFUSED.some((name) => Object.hasOwn(header, name))) return null;
  return { kid, claims };
}

function decode(part: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, "base64url").toString());
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
}
