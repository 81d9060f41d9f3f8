import {
  type AskedReplicas,
  beforeActivation,
  beforeRetirement,
  NOBODY_ASKED,
  type Obstacle,
  type RetirementOptions,
} from "./safe-waits.ts";
import { type SigningKey, SigningKeysError } from "./signing-key.ts";

/*
 * The steps of a rotation, in an order in which no valid token is ever refused: announce the new key, activate it, retire
 * the former one. A key is activated when every verifier has it, and retired when its last token has expired
 * (safe-waits.ts). Each function returns the keys after its step.
 */

export interface LifeCycleOptions {
  /** Skips the wait, at the risk that tokens are refused meanwhile. It lifts no other rule. */
  readonly force?: boolean;
  /** Default: nobody was asked, so it waits as long as it can ever take. */
  readonly asked?: AskedReplicas;
}

export interface RetireOptions extends LifeCycleOptions, RetirementOptions {}

/**
 * Publishes a generated key, so that verifiers can fetch it before it signs.
 * @throws {SigningKeysError} UNKNOWN_KEY, WRONG_STATUS
 */
export function announceKey(keys: readonly SigningKey[], kid: string, now: Date): SigningKey[] {
  const key = findKey(keys, kid);
  if (key.status !== "generated") throw wrongStatus(key, "only a generated key can be announced");
  return keys.map((other) => (other.kid === kid ? { ...key, status: "announced", announcedAt: now } : other));
}

/**
 * Lets an announced key sign; the one that signed so far is retiring from now on. A retiring key is still published, so it may be
 * activated again at once: this undoes a rotation that went wrong.
 * @throws {SigningKeysError} UNKNOWN_KEY, WRONG_STATUS, TOO_EARLY, REPLICA_SILENT
 */
export function activateKey(
  keys: readonly SigningKey[],
  kid: string,
  now: Date,
  { force = false, asked = NOBODY_ASKED }: LifeCycleOptions = {},
): SigningKey[] {
  const key = findKey(keys, kid);
  if (key.status !== "announced" && key.status !== "retiring") {
    throw wrongStatus(key, "only an announced key can be activated");
  }
  if (key.status === "announced" && !force)
    refuseUnsafe(kid, "can't sign yet", beforeActivation(key, now, asked), asked);
  return keys.map((other) => {
    if (other.kid === kid) return { ...other, status: "active", activatedAt: now, retiringAt: null };
    if (other.status === "active") return { ...other, status: "retiring", retiringAt: now };
    return other;
  });
}

/**
 * Removes a key for good: one that never signed at once, one that did when its last token has expired.
 * @throws {SigningKeysError} UNKNOWN_KEY, WRONG_STATUS, TOO_EARLY, REPLICA_SILENT
 */
export function retireKey(
  keys: readonly SigningKey[],
  kid: string,
  now: Date,
  { force = false, asked = NOBODY_ASKED, ...options }: RetireOptions = {},
): SigningKey[] {
  const key = findKey(keys, kid);
  if (key.status === "active") throw wrongStatus(key, "activate another key before you retire it");
  if (key.status === "retiring" && !force) {
    refuseUnsafe(kid, "can't be removed yet", beforeRetirement(key, now, asked, options), asked);
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

function refuseUnsafe(kid: string, what: string, obstacles: readonly Obstacle[], { silent }: AskedReplicas): void {
  if (obstacles.length === 0) return;
  const code = silent.length > 0 ? "REPLICA_SILENT" : "TOO_EARLY";
  throw new SigningKeysError(code, `key ${kid} ${what}: ${obstacles.map(({ reason }) => reason).join("; ")}`);
}
