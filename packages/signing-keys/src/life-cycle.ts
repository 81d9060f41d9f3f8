import type { SigningAlgorithm } from "@partner-connect/contract";
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
 * The steps of a rotation, which refuse no valid token: announce the new key, activate it when every verifier has it, retire the
 * former one when its last token has expired (safe-waits.ts). Each returns the keys after it.
 */

interface LifeCycleOptions {
  /** Skips the wait, at the risk that tokens are refused meanwhile. It lifts no other rule. */
  readonly force?: boolean;
  /** Default: nobody was asked, so it waits as long as it can ever take. */
  readonly asked?: AskedReplicas;
}

interface RetireOptions extends LifeCycleOptions, RetirementOptions {}

/** Publishes a generated key, for verifiers to fetch it before it signs. @throws {SigningKeysError} UNKNOWN_KEY, WRONG_STATUS */
export function announceKey(keys: readonly SigningKey[], kid: string, now: Date): SigningKey[] {
  const key = findKey(keys, kid);
  if (key.status !== "generated") throw wrongStatus(key, "only a generated key can be announced");
  return keys.map((other) => (other.kid === kid ? { ...key, status: "announced", announcedAt: now } : other));
}

/**
 * Lets an announced key sign; the former one is retiring, and may be activated again, which undoes a rotation. @throws
 * {SigningKeysError} UNKNOWN_KEY, WRONG_STATUS, TOO_EARLY, REPLICA_SILENT
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

/** Removes a key: once its last token has expired. @throws {SigningKeysError} UNKNOWN_KEY, WRONG_STATUS, TOO_EARLY, REPLICA_SILENT */
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

/* A whole rotation, as the next step that the keys say: it can be cut off anywhere. */

export type RotationStep =
  | { readonly step: "generate" }
  | { readonly step: "announce" | "activate" | "retire"; readonly key: SigningKey }
  | { readonly step: "done" };

/** The key of an unfinished rotation, or null. @throws {SigningKeysError} WRONG_STATUS, if it is of another algorithm than `alg` */
export function rotationUnderWay(keys: readonly SigningKey[], alg?: SigningAlgorithm): SigningKey | null {
  const [next] = [...withStatus(keys, "announced"), ...withStatus(keys, "generated")];
  if (next && alg !== undefined && next.alg !== alg) {
    throw new SigningKeysError(
      "WRONG_STATUS",
      `key ${next.kid} (${next.alg}) is ${next.status}: rotate to it, without --alg, or remove it by 'partner-connect keys retire ${next.kid}'`,
    );
  }
  if (next) return next;
  return withStatus(keys, "retiring").length > 0 ? (withStatus(keys, "active")[0] ?? null) : null;
}

/** What comes next on the way to `target`; null: a new key. @throws {SigningKeysError} if another change removed or retired `target` */
export function nextRotationStep(keys: readonly SigningKey[], target: string | null): RotationStep {
  if (target === null) return { step: "generate" };
  const key = keys.find(({ kid }) => kid === target);
  if (!key)
    throw new SigningKeysError("UNKNOWN_KEY", `key ${target} is gone: another change of the keys was made meanwhile`);
  if (key.status === "generated") return { step: "announce", key };
  if (key.status === "announced") return { step: "activate", key };
  if (key.status === "retiring") {
    throw new SigningKeysError("WRONG_STATUS", `key ${target} is retiring: another key was activated meanwhile`);
  }
  const [former] = withStatus(keys, "retiring");
  return former ? { step: "retire", key: former } : { step: "done" };
}

/** Newest first. */
function withStatus(keys: readonly SigningKey[], status: SigningKey["status"]): SigningKey[] {
  return keys
    .filter((key) => key.status === status)
    .toSorted((one, other) => other.createdAt.getTime() - one.createdAt.getTime());
}
