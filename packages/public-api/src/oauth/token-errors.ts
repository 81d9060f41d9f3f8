/** Spec, Errors, Token endpoint: each code with its status. */
export const TOKEN_ERROR_STATUS = {
  invalid_request: 400,
  invalid_client: 401,
  invalid_grant: 400,
  unauthorized_client: 400,
  unsupported_grant_type: 400,
  invalid_scope: 400,
} as const;

export type TokenErrorCode = keyof typeof TOKEN_ERROR_STATUS;

/** Spec, Errors: these two descriptions of `invalid_grant` are stable, and both mean that the merchant must reconnect. */
export const REFRESH_TOKEN_EXPIRED = "refresh token expired";
export const GRANT_REVOKED = "grant revoked";
