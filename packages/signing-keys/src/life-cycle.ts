import { DEFAULT_ACCESS_TOKEN_TTL_SECONDS } from "@partner-connect/access-token";
import { CLOCK_SKEW_SECONDS, JWKS_MAX_AGE_SECONDS, type SigningKey, SigningKeysError } from "./signing-key.ts";

/*
 * The steps of a rotation, in an order in which no valid token is ever refused: announce the new key, activate it, retire
 * the former one. A key is activated when every cached JWKS has it, and retired when its last token has expired. Each
 * function returns the keys after its step, or throws a SigningKeysError.
 */

export interface LifeCycleOptions {
  /** Skips the wait, at the risk that tokens are refused meanwhile. It lifts no other rule. */
  readonly force?: boolean;
}

export interface RetireOptions extends LifeCycleOptions {
  /** Default 900, the spec's. */
  readonly accessTokenTtlSeconds?: number;
}

/** Publishes a generated key, so that verifiers can fetch it before it signs. */
export function announceKey(keys: readonly SigningKey[], kid: string, now: Date): SigningKey[] {
  const key = findKey(keys, kid);
  if (key.status !== "generated") throw wrongStatus(key, "only a generated key can be announced");
  return keys.map((other) => (other.kid === kid ? { ...key, status: "announced", announcedAt: now } : other));
}

/**
 * Lets an announced key sign; the one that signed so far is retiring from now on. A retiring key is still published, so it may be
 * activated again at once: this undoes a rotation that went wrong.
 */
export function activateKey(
  keys: readonly SigningKey[],
  kid: string,
  now: Date,
  { force = false }: LifeCycleOptions = {},
): SigningKey[] {
  const key = findKey(keys, kid);
  if (key.status !== "announced" && key.status !== "retiring") {
    throw wrongStatus(key, "only an announced key can be activated");
  }
  if (key.status === "announced" && !force) {
    requireAge(
      secondsBetween(key.announcedAt, now),
      JWKS_MAX_AGE_SECONDS,
      `key ${kid} was announced less than ${JWKS_MAX_AGE_SECONDS} s ago, and a JWKS without it may still be cached`,
    );
  }
  return keys.map((other) => {
    if (other.kid === kid) return { ...other, status: "active", activatedAt: now, retiringAt: null };
    if (other.status === "active") return { ...other, status: "retiring", retiringAt: now };
    return other;
  });
}

/** Removes a key for good: one that never signed at once, one that did when its last token has expired. */
export function retireKey(
  keys: readonly SigningKey[],
  kid: string,
  now: Date,
  { force = false, accessTokenTtlSeconds = DEFAULT_ACCESS_TOKEN_TTL_SECONDS }: RetireOptions = {},
): SigningKey[] {
  const key = findKey(keys, kid);
  if (key.status === "active") throw wrongStatus(key, "activate another key before you retire it");
  if (key.status === "retiring" && !force) {
    requireAge(
      secondsBetween(key.retiringAt, now),
      accessTokenTtlSeconds + CLOCK_SKEW_SECONDS,
      `key ${kid} signed until less than ${accessTokenTtlSeconds} + ${CLOCK_SKEW_SECONDS} s ago, and its last access tokens are still valid`,
    );
  }
  return keys.filter((other) => other.kid !== kid);
}

function findKey(keys: readonly SigningKey[], kid: string): SigningKey {
  const key = keys.find((candidate) => candidate.kid === kid);
  if (key) return key;
  throw new SigningKeysError(
    "UNKNOWN_KEY",
    `there is no key ${kid}; 'partner-connect keys list' shows those there are`,
  );
}

function wrongStatus(key: SigningKey, rule: string): SigningKeysError {
  return new SigningKeysError("WRONG_STATUS", `key ${key.kid} is ${key.status}: ${rule}`);
}

function requireAge(age: number, needed: number, reason: string): void {
  const left = Math.ceil(needed - age);
  if (left > 0) throw new SigningKeysError("TOO_EARLY", `${reason}: wait ${left} s more`);
}

function secondsBetween(since: Date | null, now: Date): number {
  return since === null ? 0 : (now.getTime() - since.getTime()) / 1000;
}
