import type { FastifyError } from "fastify";

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

/**
 * The refusal that answers `error`: an unreadable body is `invalid_request` (design, Token). Null for rate limits, faults
 * and defects, which errors/error-handler.ts answers.
 */
export function asTokenError(error: unknown): TokenError | null {
  if (error instanceof TokenError) return error;
  const status = (error as Partial<FastifyError>).statusCode ?? 500;
  return status >= 400 && status < 500 ? new TokenError("invalid_request", "the body can't be read") : null;
}

/** Spec, Errors: these two descriptions are stable, and both mean that the merchant must reconnect. */
export const REFRESH_TOKEN_EXPIRED = "refresh token expired";
export const GRANT_REVOKED = "grant revoked";

/** Not stable: a newer approval has replaced the grant (design). */
export const SUPERSEDED = "superseded by a newer authorization";
