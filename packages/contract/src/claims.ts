/** The `typ` header of an access token (RFC 9068 §2.1). */
export const ACCESS_TOKEN_TYPE = "at+jwt";

/** Spec, Limits: access token lifetime. */
export const DEFAULT_ACCESS_TOKEN_TTL_SECONDS = 900;

/** Ed25519 by default, ES256 when the active key is of that kind. No other algorithm is accepted. */
export const SIGNING_ALGORITHMS = ["EdDSA", "ES256"] as const;
export type SigningAlgorithm = (typeof SIGNING_ALGORITHMS)[number];

/** The claims of an access token: RFC 9068 §2.2, and three of our own. Times are seconds since the epoch. */
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
  /** The connection's generation when the token was issued. A revocation or a hold raises it; older tokens stay dead. */
  readonly generation: number;
}
