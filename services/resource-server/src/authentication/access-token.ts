import { ACCESS_TOKEN_TYPE, SIGNING_ALGORITHMS } from "@partner-connect/access-token";
import { errors, jwtVerify } from "jose";
import { callerOf, checkClaims, type TokenExpectations } from "./access-token-claims.ts";
import { readUnverified } from "./access-token-header.ts";
import type { ConnectedClient } from "./caller.ts";
import type { KeySet } from "./key-set.ts";

export interface VerifiedToken {
  readonly caller: ConnectedClient;
  /** Seconds. */
  readonly exp: number;
}

/**
 * Who bears the token, or null when it isn't a valid one. Form and claims are judged before the signature: only what
 * would be accepted if it were signed costs a verification or a look for its key.
 * @throws {KeysUnavailableError} when the key can't be known now
 */
export async function verifyAccessToken(
  token: string,
  keys: KeySet,
  expected: TokenExpectations,
  now: number,
): Promise<VerifiedToken | null> {
  const unverified = readUnverified(token);
  if (!unverified || !checkClaims(unverified.claims, expected, now)) return null;
  const key = await keys.find(unverified.kid);
  if (!key) return null;
  try {
    const { payload } = await jwtVerify(token, key, {
      algorithms: [...SIGNING_ALGORITHMS],
      typ: ACCESS_TOKEN_TYPE,
      currentDate: new Date(now * 1000),
    });
    const claims = checkClaims(payload, expected, now);
    return claims && { caller: callerOf(claims), exp: claims.exp };
  } catch (error) {
    if (error instanceof errors.JOSEError || error instanceof TypeError) return null;
    throw error;
  }
}
