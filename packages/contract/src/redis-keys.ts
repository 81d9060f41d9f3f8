/**
 * Prefixes of keys in the authorization server's Redis, of which an erasure deletes some. After
 * them come the hash of a session's id, or of the network, device and account of a sign-in.
 */
export const SESSION_KEYS = "merchant_session";
export const SIGN_IN_KEYS = "sign_in";

/** @param hash the SHA-256 of the code's, grant's or token's id, which may be a bearer credential */
export function modelKey(model: string, hash: Buffer): string {
  return `oauth:${model}:${hash.toString("base64url")}`;
}
