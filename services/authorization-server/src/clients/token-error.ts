import { COMPRESSED_BODY, type RequestFacts } from "@partner-connect/service-runtime";
import { HttpError } from "../errors.ts";
import { TOKEN_ERROR_STATUS, type TokenErrorCode } from "../protocol.ts";

/** A refusal by an endpoint with HTTP Basic (RFC 6749 §5.2). Its description is public. */
export class TokenError extends Error {
  readonly error: TokenErrorCode;
  readonly facts: RequestFacts;

  constructor(
    error: TokenErrorCode,
    description: string,
    reason: TokenRefusal,
    facts: RequestFacts = {},
  ) {
    super(description);
    this.error = error;
    this.facts = { reason, error, ...facts };
  }

  /** `param` names an invalid query parameter, as in the API's errors (guides/errors.md). */
  get body(): {
    readonly error: TokenErrorCode;
    readonly error_description: string;
    readonly param?: string;
  } {
    const { param } = this.facts;
    return {
      error: this.error,
      error_description: this.message,
      ...(param !== undefined && { param }),
    };
  }

  get status(): 400 | 401 {
    return TOKEN_ERROR_STATUS[this.error];
  }
}

/** Converts `error`; null for rate limits, faults and defects, which send-error.ts sends. */
export function asTokenError(error: unknown): TokenError | null {
  if (error instanceof TokenError) return error;
  if (error instanceof HttpError) return null;
  const { statusCode = 500, code } = error as {
    readonly statusCode?: number;
    readonly code?: string;
  };
  if (statusCode < 400 || statusCode >= 500) return null;
  const description =
    code === COMPRESSED_BODY ? "the body must have no Content-Encoding" : "the body can't be read";
  return new TokenError("invalid_request", description, "unreadable_body");
}

export type TokenRefusal = ClientRefusal | RequestRefusal | CodeRefusal | RefreshRefusal;

/**
 * Reasons of `invalid_client`. The response is the same for all but `client_disabled`, so that a
 * stranger learns nothing about a client.
 */
export type ClientRefusal =
  | "no_credentials"
  | "malformed_credentials"
  /** Credentials in the body or the query, or of two clients. */
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
  | "malformed_parameter"
  | "malformed_code_verifier"
  | "unsupported_grant_type"
  | "grant_type_not_allowed";

/** Reasons of `invalid_grant` for a code. */
export type CodeRefusal =
  | "unknown_code"
  | "code_of_another_client"
  | "redirect_uri_mismatch"
  | "code_verifier_mismatch"
  | "code_replayed"
  /** The replay came after the grace period, so it ended the connection. */
  | "code_replayed_late"
  | "connection_disabled"
  | "grant_revoked"
  | "grant_superseded";

export type RefreshRefusal =
  | "unknown_refresh_token"
  | "refresh_token_expired"
  | "connection_disabled"
  | "scope_exceeded"
  | "grant_revoked"
  | "grant_superseded";
