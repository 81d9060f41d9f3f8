/** The `typ` header of an access token (RFC 9068 §2.1). */
export const ACCESS_TOKEN_TYPE = "at+jwt";

/** Spec, Limits: access token lifetime. */
export const DEFAULT_ACCESS_TOKEN_TTL_SECONDS = 900;

/** Ed25519 by default; ES256 where a key of that kind is active. Nothing else is ever accepted. */
export const SIGNING_ALGORITHMS = ["EdDSA", "ES256"] as const;
export type SigningAlgorithm = (typeof SIGNING_ALGORITHMS)[number];

/** What an access token says: RFC 9068 §2.2, and three claims of our own. Times are seconds since the epoch. */
export interface AccessTokenClaims {
  readonly iss: string;
  readonly aud: string;
  /** The connected shop's id. */
  readonly sub: string;
  readonly client_id: string;
  /** Space-delimited. */
  readonly scope: string;
  readonly jti: string;
  readonly iat: number;
  readonly exp: number;
  readonly connection_id: string;
  readonly grant_id: string;
  /** The connection's generation at issue. A revocation or a disable starts a new one, and older tokens stay dead. */
  readonly generation: number;
}
