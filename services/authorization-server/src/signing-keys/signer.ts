import { type KeyObject, sign } from "node:crypto";
import type { SigningAlgorithm } from "@partner-connect/contract";

/** Makes signatures of a JWS (RFC 7515, RFC 8037). */
export interface Signer {
  readonly alg: SigningAlgorithm;
  /** The signature over a JWS's signing input. */
  readonly sign: (input: Buffer) => Buffer;
}

export function createSigner(key: { readonly alg: SigningAlgorithm; readonly privateKey: KeyObject }): Signer {
  const { alg, privateKey } = key;
  return alg === "EdDSA"
    ? { alg, sign: (input) => sign(null, input, privateKey) }
    : { alg, sign: (input) => sign("sha256", input, { key: privateKey, dsaEncoding: "ieee-p1363" }) };
}
