import { TOKEN_ERROR_STATUS, type TokenErrorCode } from "@partner-connect/public-api";
import type { RequestFacts } from "@partner-connect/service-runtime";
import type { FastifyError } from "fastify";
import type { TokenRefusal } from "./token-refusal.ts";

export { GRANT_REVOKED, REFRESH_TOKEN_EXPIRED } from "@partner-connect/public-api";

/** A refusal of the token endpoint (RFC 6749 §5.2). Its description is public. */
export class TokenError extends Error {
  readonly error: TokenErrorCode;
  /** Why, for the log and the metrics; the caller is told less. */
  readonly facts: RequestFacts;

  constructor(error: TokenErrorCode, description: string, reason: TokenRefusal, facts: RequestFacts = {}) {
    super(description);
    this.error = error;
    this.facts = { reason, ...facts };
  }

  get status(): 400 | 401 {
    return TOKEN_ERROR_STATUS[this.error];
  }
}

/**
 * The refusal that answers `error`: an unreadable body is `invalid_request` (design, Token). Null for rate limits, faults
 * and defects, which errors/error-handler.ts answers.
 */
export function asTokenError(error: unknown): TokenError | null {
  if (error instanceof TokenError) return error;
  const status = (error as Partial<FastifyError>).statusCode ?? 500;
  return status >= 400 && status < 500
    ? new TokenError("invalid_request", "the body can't be read", "unreadable_body")
    : null;
}

/** Not stable: a newer approval has replaced the grant (design). */
export const SUPERSEDED = "superseded by a newer authorization";
