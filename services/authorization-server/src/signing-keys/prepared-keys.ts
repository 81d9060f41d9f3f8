import { ACCESS_TOKEN_TYPE } from "@partner-connect/contract";
import type { SigningKeys } from "@partner-connect/signing-keys";
import { createSigner, type Signer } from "./signer.ts";

/** The keys of one reading of the keys file, ready for use. */
export interface PreparedKeys {
  /** Public JWKs of the announced, the active and the retiring keys. */
  readonly published: SigningKeys["published"];
  readonly states: SigningKeys["states"];
  readonly active: ActiveKey;
}

/** The key that signs. */
export interface ActiveKey {
  readonly kid: string;
  readonly signer: Signer;
  /** Of the tokens that it signs, encoded. */
  readonly header: string;
}

/** The keys in use. When the file changes, all of `current` changes at once. */
export interface LiveKeys {
  readonly current: PreparedKeys;
}

export async function prepareKeys({ active, published, states }: SigningKeys): Promise<PreparedKeys> {
  const { kid } = active;
  const signer = createSigner(active);
  const header = Buffer.from(JSON.stringify({ alg: signer.alg, typ: ACCESS_TOKEN_TYPE, kid })).toString("base64url");
  return { published, states, active: { kid, signer, header } };
}
