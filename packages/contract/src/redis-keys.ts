/**
 * Prefixes of keys in the authorization server's Redis, of which an erasure deletes some. The hash
 * of a session's id, or of the network, device and account of a sign-in, follows.
 */
export const SESSION_KEYS = "merchant_session";
export const SIGN_IN_KEYS = "sign_in";

/** A key in Redis. @param hash the SHA-256 of a code's, grant's or token's id, which may be secret */
export function modelKey(model: string, hash: Buffer): string {
  return `oauth:${model}:${hash.toString("base64url")}`;
}
