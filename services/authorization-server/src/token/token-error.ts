/** Spec, Errors, Token endpoint: each code with its status. */
const STATUS = {
  invalid_request: 400,
  invalid_client: 401,
  invalid_grant: 400,
  unauthorized_client: 400,
  unsupported_grant_type: 400,
  invalid_scope: 400,
} as const;

export type TokenErrorCode = keyof typeof STATUS;

/** A refusal of the token endpoint (RFC 6749 §5.2). Its description is public. */
export class TokenError extends Error {
  readonly error: TokenErrorCode;

  constructor(error: TokenErrorCode, description: string) {
    super(description);
    this.error = error;
  }

  get status(): 400 | 401 {
    return STATUS[this.error];
  }
}

/** Spec, Errors: these two descriptions are stable, and both mean that the merchant must reconnect. */
export const REFRESH_TOKEN_EXPIRED = "refresh token expired";
export const GRANT_REVOKED = "grant revoked";

/** Not stable, and not one of the two: a newer approval has taken the grant's place (design). */
export const SUPERSEDED = "superseded by a newer authorization";
