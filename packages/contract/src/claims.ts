/** The `typ` header of an access token (RFC 9068 §2.1). */
export const ACCESS_TOKEN_TYPE = "at+jwt";

/** An access token's lifetime (guides/limits.md). */
export const DEFAULT_ACCESS_TOKEN_TTL_SECONDS = 900;

/** The accepted algorithms. The active key decides which one signs. */
export const SIGNING_ALGORITHMS = ["EdDSA", "ES256"] as const;
export type SigningAlgorithm = (typeof SIGNING_ALGORITHMS)[number];

/**
 * The claims of an access token: RFC 9068 §2.2, and three private ones. Times are seconds since the
 * epoch.
 */
export interface AccessTokenClaims {
  readonly iss: string;
  readonly aud: string;
  readonly sub: string;
  readonly client_id: string;
  /** Space-delimited. */
  readonly scope: string;
  readonly jti: string;
  readonly iat: number;
  readonly exp: number;
  readonly connection_id: string;
  readonly grant_id: string;
  /**
   * The connection's generation at issuance. A revocation or a hold increments it, which
   * invalidates older tokens.
   */
  readonly generation: number;
}
