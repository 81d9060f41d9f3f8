import { generateKeyPairSync, type KeyObject } from "node:crypto";
import type { SigningAlgorithm } from "@partner-connect/contract";
import { calculateJwkThumbprint } from "jose";

/** The `cache-control: max-age` of the JWKS. */
export const JWKS_MAX_AGE_SECONDS = 300;

/** announced → active → retiring → (removed). A key is published until its removal. */
export const KEY_STATUSES = ["announced", "active", "retiring"] as const;
export type KeyStatus = (typeof KEY_STATUSES)[number];

export interface SigningKey {
  /** RFC 7638 thumbprint (SHA-256). */
  readonly kid: string;
  readonly alg: SigningAlgorithm;
  readonly status: KeyStatus;
  readonly privateKey: KeyObject;
  readonly createdAt: Date;
  readonly activatedAt: Date | null;
  readonly retiringAt: Date | null;
}

type SigningKeysErrorCode =
  | "SIGNING_KEYS_MISSING"
  | "SIGNING_KEYS_EXIST"
  | "SIGNING_KEYS_MALFORMED"
  | "SIGNING_KEYS_LOCKED"
  | "SIGNING_KEYS_READ_ONLY"
  | "NO_ACTIVE_KEY"
  | "SEVERAL_ACTIVE_KEYS"
  | "UNKNOWN_KEY"
  | "WRONG_STATUS";

/** The message has the problem and the remedy for operators, and no key material. */
export class SigningKeysError extends Error {
  readonly code: SigningKeysErrorCode;

  constructor(code: SigningKeysErrorCode, message: string) {
    super(message);
    this.name = "SigningKeysError";
    this.code = code;
  }
}

/** Generates an announced key. Ed25519 signs faster; ES256 is for tools without EdDSA. */
export async function generateKey(alg: SigningAlgorithm, now: Date): Promise<SigningKey> {
  const { privateKey } =
    alg === "EdDSA"
      ? generateKeyPairSync("ed25519")
      : generateKeyPairSync("ec", { namedCurve: "P-256" });
  const kid = await calculateJwkThumbprint(privateKey);
  // A command line would parse such a kid as an option.
  if (kid.startsWith("-")) return await generateKey(alg, now);
  return {
    kid,
    alg,
    status: "announced",
    privateKey,
    createdAt: now,
    activatedAt: null,
    retiringAt: null,
  };
}

/** Age in days after which a key should be rotated. */
const OLD_KEY_DAYS = 90;

const DAY_MS = 24 * 60 * 60 * 1000;

/** Age of the key material in milliseconds; never negative, even if a clock is wrong. */
export function keyAge({ createdAt }: Pick<SigningKey, "createdAt">, now: Date): number {
  return Math.max(0, now.getTime() - createdAt.getTime());
}

export function isOldKey(key: Pick<SigningKey, "createdAt">, now: Date): boolean {
  return keyAge(key, now) > OLD_KEY_DAYS * DAY_MS;
}
