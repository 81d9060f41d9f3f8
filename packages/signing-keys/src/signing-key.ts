import { generateKeyPairSync } from "node:crypto";
import type { SigningAlgorithm } from "@partner-connect/contract";
import { calculateJwkThumbprint, type JWK } from "jose";

/** The `cache-control: max-age` of the JWKS, and so the least time from a key's announcement to its first signature. */
export const JWKS_MAX_AGE_SECONDS = 300;

/** How far the clocks of two machines may differ. A key is kept this much longer than the last token that it signed. */
export const CLOCK_SKEW_SECONDS = 60;

/** Until every authorization server has read a changed file: it polls for 2 s; a mounted Secret takes the kubelet two minutes. */
export const KEYS_SPREAD_SECONDS = 120;

/** generated → announced → active → retiring → (removed). It is published from its announcement to its removal. */
export const KEY_STATUSES = ["generated", "announced", "active", "retiring"] as const;
export type KeyStatus = (typeof KEY_STATUSES)[number];

export interface SigningKey {
  /** RFC 7638 thumbprint (SHA-256). */
  readonly kid: string;
  readonly alg: SigningAlgorithm;
  readonly status: KeyStatus;
  /** Key material only: kty, crv, x, y, d. */
  readonly privateJwk: JWK;
  readonly createdAt: Date;
  readonly announcedAt: Date | null;
  readonly activatedAt: Date | null;
  readonly retiringAt: Date | null;
}

type SigningKeysErrorCode =
  | "SIGNING_KEYS_MISSING"
  | "SIGNING_KEYS_MALFORMED"
  | "SIGNING_KEYS_LOCKED"
  | "SIGNING_KEYS_READ_ONLY"
  | "NO_ACTIVE_KEY"
  | "SEVERAL_ACTIVE_KEYS"
  | "UNKNOWN_KEY"
  | "WRONG_STATUS"
  | "TOO_EARLY"
  | "REPLICA_SILENT";

/** Its message is for an operator: what is wrong and what to do. It never holds key material. */
export class SigningKeysError extends Error {
  readonly code: SigningKeysErrorCode;

  constructor(code: SigningKeysErrorCode, message: string) {
    super(message);
    this.name = "SigningKeysError";
    this.code = code;
  }
}

/** A new key, not published yet. Ed25519 signs fastest; ES256 is for partners' tools that don't know EdDSA. */
export async function generateKey(alg: SigningAlgorithm, now: Date): Promise<SigningKey> {
  const { privateKey } =
    alg === "EdDSA" ? generateKeyPairSync("ed25519") : generateKeyPairSync("ec", { namedCurve: "P-256" });
  const privateJwk = privateKey.export({ format: "jwk" }) as JWK;
  const kid = await calculateJwkThumbprint(privateJwk);
  // On a command line such a kid would be taken for an option.
  if (kid.startsWith("-")) return await generateKey(alg, now);
  return {
    kid,
    alg,
    status: "generated",
    privateJwk,
    createdAt: now,
    announcedAt: null,
    activatedAt: null,
    retiringAt: null,
  };
}

/** A key that has signed for longer should be rotated. */
const OLD_KEY_DAYS = 90;

const DAY_MS = 24 * 60 * 60 * 1000;

/** Since when there is this key material, in milliseconds; never below 0, whatever the clocks say. */
export function keyAge({ createdAt }: Pick<SigningKey, "createdAt">, now: Date): number {
  return Math.max(0, now.getTime() - createdAt.getTime());
}

export function isOldKey(key: Pick<SigningKey, "createdAt">, now: Date): boolean {
  return keyAge(key, now) > OLD_KEY_DAYS * DAY_MS;
}
