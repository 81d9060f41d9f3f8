import { type KeyObject, sign } from "node:crypto";
import type { SigningAlgorithm } from "@partner-connect/access-token";
import sodium from "sodium-native";

/** Makes the signature of a JWS (RFC 7515, RFC 8037) over its input. */
export type Signer = (input: Buffer) => Buffer;

/**
 * Signing is the greatest part of a refresh. libsodium makes the same Ed25519 signature in half of node:crypto's time,
 * which takes a third of WebCrypto's (ARCHITECTURE.md, decisions).
 */
export function signer(alg: SigningAlgorithm, privateKey: KeyObject): Signer {
  return alg === "EdDSA"
    ? ed25519Signer(privateKey)
    : (input) => sign("sha256", input, { key: privateKey, dsaEncoding: "ieee-p1363" });
}

function ed25519Signer(privateKey: KeyObject): Signer {
  const seed = Buffer.from(privateKey.export({ format: "jwk" }).d ?? "", "base64url");
  const publicKey = Buffer.alloc(sodium.crypto_sign_PUBLICKEYBYTES);
  // On the heap, as the key itself is: oidc-provider's configuration holds it as a JWK.
  const secretKey = Buffer.alloc(sodium.crypto_sign_SECRETKEYBYTES);
  sodium.crypto_sign_seed_keypair(publicKey, secretKey, seed);
  return (input) => {
    const signature = Buffer.allocUnsafe(sodium.crypto_sign_BYTES);
    sodium.crypto_sign_detached(signature, input, secretKey);
    return signature;
  };
}
