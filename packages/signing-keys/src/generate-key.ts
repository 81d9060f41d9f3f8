import { generateKeyPairSync } from "node:crypto";
import type { SigningAlgorithm } from "@partner-connect/contract";
import { calculateJwkThumbprint, type JWK } from "jose";
import type { SigningKey } from "./signing-key.ts";

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
