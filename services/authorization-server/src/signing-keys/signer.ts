import { type KeyObject, sign } from "node:crypto";
import type { SigningAlgorithm } from "@partner-connect/contract";
import type sodiumNative from "sodium-native";

type Sodium = typeof sodiumNative;

/** Makes signatures of a JWS (RFC 7515, RFC 8037). */
export interface Signer {
  readonly alg: SigningAlgorithm;
  /** Which library signs. */
  readonly library: "libsodium" | "node:crypto";
  /** The signature over a JWS's signing input. */
  readonly sign: (input: Buffer) => Buffer;
}

/**
 * Signing is the greatest part of a refresh, and libsodium makes the same Ed25519 signature in half of node:crypto's time
 * (DECISIONS.md). It is an optional dependency: where there is no binary of it for this platform,
 * node:crypto signs.
 */
export async function createSigner(
  { alg, privateKey }: { readonly alg: SigningAlgorithm; readonly privateKey: KeyObject },
  loadSodium: () => Promise<{ readonly default: Sodium }> = () => import("sodium-native"),
): Promise<Signer> {
  if (alg === "ES256") {
    return {
      alg,
      library: "node:crypto",
      sign: (input) => sign("sha256", input, { key: privateKey, dsaEncoding: "ieee-p1363" }),
    };
  }
  const sodium = await loadSodium().then(
    (loaded) => loaded.default,
    () => null,
  );
  if (!sodium) return { alg, library: "node:crypto", sign: (input) => sign(null, input, privateKey) };
  return { alg, library: "libsodium", sign: ed25519BySodium(sodium, privateKey) };
}

function ed25519BySodium(sodium: Sodium, privateKey: KeyObject): Signer["sign"] {
  const seed = Buffer.from(privateKey.export({ format: "jwk" }).d ?? "", "base64url");
  const publicKey = Buffer.alloc(sodium.crypto_sign_PUBLICKEYBYTES);
  const secretKey = Buffer.alloc(sodium.crypto_sign_SECRETKEYBYTES);
  sodium.crypto_sign_seed_keypair(publicKey, secretKey, seed);
  return (input) => {
    const signature = Buffer.allocUnsafe(sodium.crypto_sign_BYTES);
    sodium.crypto_sign_detached(signature, input, secretKey);
    return signature;
  };
}
