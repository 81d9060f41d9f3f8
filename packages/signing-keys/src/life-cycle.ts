import { DEFAULT_ACCESS_TOKEN_TTL_SECONDS } from "@partner-connect/access-token";
import { CLOCK_SKEW_SECONDS, JWKS_MAX_AGE_SECONDS, type SigningKey, SigningKeysError } from "./signing-key.ts";

export interface LifeCycleOptions {
  /** Skip the wait, at the risk that tokens are refused meanwhile. It lifts no other rule. */
  readonly force?: boolean;
}

export interface RetireOptions extends LifeCycleOptions {
  /** Default 900, the spec's. */
  readonly accessTokenTtlSeconds?: number;
}

/** Publishes a generated key, so that everybody who verifies can learn it before it signs. */
export function announceKey(keys: readonly SigningKey[], kid: string, now: Date): SigningKey[] {
  const key = find(keys, kid);
  if (key.status !== "generated") throw wrongStatus(key, "only a generated key can be announced");
  return replace(keys, { ...key, status: "announced", announcedAt: now });
}

/**
 * Lets an announced key sign; the one that signed so far is retiring from now on. A retiring key may be activated
 * again at once, as it is still published: the way back from a rotation that went wrong.
 */
export function activateKey(
  keys: readonly SigningKey[],
  kid: string,
  now: Date,
  { force = false }: LifeCycleOptions = {},
): SigningKey[] {
  const key = find(keys, kid);
  if (key.status !== "announced" && key.status !== "retiring") {
    throw wrongStatus(key, "only an announced key can be activated");
  }
  if (key.status === "announced" && !force) {
    waitFor(
      key.announcedAt,
      JWKS_MAX_AGE_SECONDS,
      now,
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
  const key = find(keys, kid);
  if (key.status === "active") throw wrongStatus(key, "activate another key before you retire it");
  if (key.status === "retiring" && !force) {
    waitFor(
      key.retiringAt,
      accessTokenTtlSeconds + CLOCK_SKEW_SECONDS,
      now,
      `key ${kid} signed until less than ${accessTokenTtlSeconds} + ${CLOCK_SKEW_SECONDS} s ago, and its last access tokens are still valid`,
    );
  }
  return keys.filter((other) => other.kid !== kid);
}

function find(keys: readonly SigningKey[], kid: string): SigningKey {
  const key = keys.find((candidate) => candidate.kid === kid);
  if (key) return key;
  throw new SigningKeysError(
    "UNKNOWN_KEY",
    `there is no key ${kid}; 'partner-connect keys list' shows those there are`,
  );
}

function replace(keys: readonly SigningKey[], key: SigningKey): SigningKey[] {
  return keys.map((other) => (other.kid === key.kid ? key : other));
}

function wrongStatus(key: SigningKey, rule: string): SigningKeysError {
  return new SigningKeysError("WRONG_STATUS", `key ${key.kid} is ${key.status}: ${rule}`);
}

function waitFor(since: Date | null, seconds: number, now: Date, reason: string): void {
  const left = since === null ? seconds : Math.ceil(seconds - (now.getTime() - since.getTime()) / 1000);
  if (left <= 0) return;
  throw new SigningKeysError("TOO_EARLY", `${reason}: wait ${left} s more`);
}
