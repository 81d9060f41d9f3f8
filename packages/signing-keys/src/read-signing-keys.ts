import { createPrivateKey, createPublicKey, type JsonWebKey, type KeyObject } from "node:crypto";
import type { SigningAlgorithm } from "@partner-connect/contract";
import type { JWK } from "jose";
import { readKeysFile } from "./keys-file.ts";
import { parseKeys } from "./parse-keys.ts";
import { type SigningKey, SigningKeysError } from "./signing-key.ts";

export interface SigningKeys {
  readonly active: {
    readonly kid: string;
    readonly alg: SigningAlgorithm;
    readonly privateKey: KeyObject;
    /** Includes `kid`, `alg` and `use`. */
    readonly privateJwk: JWK;
  };
  /** Public JWKs (`kid`, `alg`, `use: "sig"`) of the announced, active and retiring keys. */
  readonly published: readonly JWK[];
  readonly states: readonly KeyState[];
}

export type KeyState = Pick<SigningKey, "kid" | "status" | "createdAt">;

/** @throws {SigningKeysError} if the file is missing or malformed, or does not have exactly one active key */
export async function readSigningKeys(path: string): Promise<SigningKeys> {
  return parseSigningKeys(await readKeysFile(path), path);
}

/** @throws {SigningKeysError} as {@link readSigningKeys}, naming `path` */
export function parseSigningKeys(text: string, path: string): SigningKeys {
  const keys = parseKeys(text, path);
  const [active, another] = keys.filter((key) => key.status === "active");
  if (!active) {
    throw new SigningKeysError("NO_ACTIVE_KEY", `${path} has no active key: restore the file from a backup`);
  }
  if (another) {
    throw new SigningKeysError("SEVERAL_ACTIVE_KEYS", `${path} has several active keys; exactly one may sign`);
  }
  return {
    active: {
      kid: active.kid,
      alg: active.alg,
      privateKey: privateKeyOf(active),
      privateJwk: { ...active.privateJwk, kid: active.kid, alg: active.alg, use: "sig" },
    },
    published: keys.map(publicJwk),
    states: keys.map(({ kid, status, createdAt }) => ({ kid, status, createdAt })),
  };
}

/** Derived from the private key, not read from the file, so that the two always match. */
function publicJwk(key: SigningKey): JWK {
  const jwk = createPublicKey(privateKeyOf(key)).export({ format: "jwk" }) as JWK;
  return { ...jwk, kid: key.kid, alg: key.alg, use: "sig" };
}

function privateKeyOf(key: SigningKey): KeyObject {
  return createPrivateKey({ key: key.privateJwk as JsonWebKey, format: "jwk" });
}
