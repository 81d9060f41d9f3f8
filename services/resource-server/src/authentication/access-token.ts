import { ACCESS_TOKEN_TYPE, SIGNING_ALGORITHMS } from "@partner-connect/contract";
import { errors, jwtVerify } from "jose";
import type { TokenReason } from "../errors/reason.ts";
import { callerOf, checkClaims, type TokenExpectations } from "./access-token-claims.ts";
import { readUnverified } from "./access-token-header.ts";
import type { ConnectedClient } from "./caller.ts";
import type { KeySet } from "./key-set.ts";

export interface VerifiedToken {
  readonly caller: ConnectedClient;
  /** The key that signed it. */
  readonly kid: string;
  /** Seconds. */
  readonly exp: number;
}

/**
 * The client that the token was issued to, or why the token is not valid. Form and claims are checked before the
 * signature, so that only a token that needs nothing but the right signature costs a verification, or a fetch of keys.
 * @throws {KeysUnavailableError} when the key can't be known now
 */
export async function verifyAccessToken(
  token: string,
  keys: KeySet,
  expected: TokenExpectations,
  now: number,
): Promise<VerifiedToken | TokenReason> {
  const unverified = readUnverified(token);
  if (!unverified) return "malformed_token";
  const presented = checkClaims(unverified.claims, expected, now);
  if (typeof presented === "string") return presented;
  const key = await keys.find(unverified.kid);
  if (!key) return "unknown_key";
  try {
    const { payload } = await jwtVerify(token, key, {
      algorithms: [...SIGNING_ALGORITHMS],
      typ: ACCESS_TOKEN_TYPE,
      currentDate: new Date(now * 1000),
    });
    const claims = checkClaims(payload, expected, now);
    return typeof claims === "string" ? claims : { caller: callerOf(claims), kid: unverified.kid, exp: claims.exp };
  } catch (error) {
    if (error instanceof errors.JOSEError || error instanceof TypeError) return "bad_signature";
    throw error;
  }
}
