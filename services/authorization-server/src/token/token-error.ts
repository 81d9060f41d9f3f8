import { TOKEN_ERROR_STATUS, type TokenErrorCode } from "@partner-connect/public-api";
import type { RequestFacts } from "@partner-connect/service-runtime";
import type { FastifyError } from "fastify";

export { GRANT_REVOKED, REFRESH_TOKEN_EXPIRED } from "@partner-connect/public-api";

/** A refusal of the token endpoint (RFC 6749 §5.2). Its description is public. */
export class TokenError extends Error {
  readonly error: TokenErrorCode;
  readonly facts: RequestFacts;

  constructor(error: TokenErrorCode, description: string, reason: TokenRefusal, facts: RequestFacts = {}) {
    super(description);
    this.error = error;
    this.facts = { reason, error, ...facts };
  }

  get body(): { readonly error: TokenErrorCode; readonly error_description: string } {
    return { error: this.error, error_description: this.message };
  }

  get status(): 400 | 401 {
    return TOKEN_ERROR_STATUS[this.error];
  }
}

/** The refusal that answers `error`. Null for rate limits, faults and defects, which errors/error-handler.ts answers. */
export function asTokenError(error: unknown): TokenError | null {
  if (error instanceof TokenError) return error;
  const status = (error as Partial<FastifyError>).statusCode ?? 500;
  return status >= 400 && status < 500
    ? new TokenError("invalid_request", "the body can't be read", "unreadable_body")
    : null;
}

/** A newer approval has replaced the grant (design). Guides and SDKs have these words, though the spec calls two others alone stable. */
export const SUPERSEDED = "superseded by a newer authorization";

export type TokenRefusal = ClientRefusal | RequestRefusal | CodeRefusal | RefreshRefusal;

/** invalid_client: one answer for all who don't have a live secret, so that a stranger learns nothing about a client. */
export type ClientRefusal =
  | "no_credentials"
  | "malformed_credentials"
  /** In the body or the query, or for two clients. */
  | "misplaced_credentials"
  | "unknown_client"
  | "wrong_secret"
  | "expired_secret"
  | "client_disabled";

export type RequestRefusal =
  | "unreadable_body"
  | "not_a_form"
  | "malformed_batch"
  | "invalid_parameter"
  | "unknown_cursor"
  | "missing_parameter"
  | "repeated_parameter"
  | "malformed_code_verifier"
  | "unsupported_grant_type"
  | "grant_type_not_allowed";

/** invalid_grant, for a code. */
export type CodeRefusal =
  | "unknown_code"
  | "code_of_another_client"
  | "redirect_uri_mismatch"
  | "code_verifier_mismatch"
  | "code_expired"
  | "code_replayed"
  | "grant_revoked"
  | "grant_superseded";

export type RefreshRefusal =
  | "unknown_refresh_token"
  | "refresh_token_expired"
  | "connection_disabled"
  | "scope_exceeded"
  | "grant_revoked"
  | "grant_superseded";
