import {
  ACCESS_TOKEN_TYPE,
  isScope,
  parseScope,
  SIGNING_ALGORITHMS,
} from "@partner-connect/contract";
import { compactVerify, decodeJwt, decodeProtectedHeader, errors, type JWTPayload } from "jose";
import Type from "typebox";
import { Compile } from "typebox/schema";
import { refusedCredential } from "../errors/api-error.ts";
import type { ConnectionCaller } from "./caller.ts";
import type { KeySet } from "./key-set.ts";

export interface VerifiedToken {
  readonly caller: ConnectionCaller;
  readonly kid: string;
  /** Seconds since the epoch. */
  readonly exp: number;
}

/**
 * Verifies the token and returns its connection. Checks claims first: the signature costs more.
 * @throws {ApiError} 401 @throws {KeysUnavailableError}
 */
export async function verifyAccessToken(
  token: string,
  signingKeys: KeySet,
  expected: TokenExpectations,
  now: number,
): Promise<VerifiedToken> {
  const unverified = readUnverifiedToken(token);
  if (!unverified) throw refusedCredential(MALFORMED);
  const claims = checkClaims(unverified.claims, expected, now);
  const verifier = await signingKeys.verifierFor(unverified.kid);
  if (!verifier) throw refusedCredential("unknown_key");
  try {
    await compactVerify(token, verifier, { algorithms: [...SIGNING_ALGORITHMS] });
  } catch (error) {
    if (error instanceof errors.JOSEError || error instanceof TypeError)
      throw refusedCredential("bad_signature");
    throw error;
  }
  const caller = {
    kind: "connection",
    id: claims.connection_id,
    shopId: claims.sub,
    clientId: claims.client_id,
    generation: claims.generation,
    scope: claims.scopes,
  } as const;
  return { caller, kid: unverified.kid, exp: claims.exp };
}

export interface TokenExpectations {
  readonly issuer: string;
  readonly audience: string;
}

/** Tolerance for `iat` and `nbf` in the future, because the clocks of two services differ. */
const MAX_IAT_AHEAD_SECONDS = 60;

const MALFORMED = "malformed_token";

/** Our identifiers are short visible ASCII, safe for a database and a log. */
const Name = Type.String({ pattern: "^[\\x21-\\x7e]{1,255}$" });
const Time = Type.Number({ minimum: 0 });

const Claims = Compile(
  Type.Object({
    ...{ sub: Name, client_id: Name, jti: Name, connection_id: Name, grant_id: Name },
    ...{ iat: Time, exp: Time, nbf: Type.Optional(Time) },
    scope: Type.String(),
    generation: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
  }),
);

/**
 * Checks the claims (RFC 9068 §4, RFC 8725 §3.8-3.10). `now` is in seconds. `exp` has no tolerance.
 * @throws {ApiError} 401
 */
function checkClaims(claims: JWTPayload, { issuer, audience }: TokenExpectations, now: number) {
  if (claims.iss !== issuer) throw refusedCredential("wrong_issuer");
  if (claims.aud !== audience) throw refusedCredential("wrong_audience");
  if (!Claims.Check(claims)) throw refusedCredential(MALFORMED);
  const { scope, exp, iat, nbf = iat } = claims;
  // An empty scope means that no scope is left.
  const scopes = scope === "" ? [] : parseScope(scope);
  if (scopes === null) throw refusedCredential(MALFORMED);
  if (exp <= now) throw refusedCredential("token_expired");
  if (Math.max(iat, nbf) > now + MAX_IAT_AHEAD_SECONDS)
    throw refusedCredential("token_not_yet_valid");
  return { ...claims, scopes: scopes.filter(isScope) };
}

/** Our tokens are below 1 KB; longer ones are refused before decoding. */
const MAX_TOKEN_LENGTH = 4096;

const COMPACT = /^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+$/;

/**
 * Refused headers. With them a token would choose its own key, or request processing that we don't
 * support (RFC 8725 §3.1, §3.10).
 */
const REFUSED = ["jku", "jwk", "x5u", "x5c", "crit", "b64", "zip"];

/** Returns key id and claims, unverified; null if the token doesn't have our tokens' form. */
function readUnverifiedToken(token: string): { kid: string; claims: JWTPayload } | null {
  if (token.length > MAX_TOKEN_LENGTH || !COMPACT.test(token)) return null;
  try {
    const header = decodeProtectedHeader(token);
    const { alg, typ, kid } = header;
    if (!SIGNING_ALGORITHMS.some((allowed) => allowed === alg) || typ !== ACCESS_TOKEN_TYPE)
      return null;
    if (typeof kid !== "string" || kid.length < 1 || kid.length > 128) return null;
    if (REFUSED.some((name) => Object.hasOwn(header, name))) return null;
    return { kid, claims: decodeJwt(token) };
  } catch {
    return null; // no JSON
  }
}
