import type { Client } from "@partner-connect/directory";
import { COMPRESSED_BODY, type RequestFacts } from "@partner-connect/service-runtime";
import {
  type RevocationParameter,
  TOKEN_ERROR_STATUS,
  type TokenErrorCode,
  type TokenParameter,
} from "../protocol.ts";

type Parameter = TokenParameter | RevocationParameter;

/**
 * The parameters of a token request. Repeated parameters are refused, empty ones count as absent
 * (RFC 6749 §3.1, §3.2).
 */
export class TokenRequest {
  readonly #form: URLSearchParams;

  /** @throws {TokenError} invalid_request */
  constructor(form: unknown) {
    if (!(form instanceof URLSearchParams)) {
      throw new TokenError(
        "invalid_request",
        "the content type must be application/x-www-form-urlencoded",
        "not_a_form",
      );
    }
    this.#form = form;
  }

  /** @throws {TokenError} invalid_request */
  optional(name: Parameter): string | undefined {
    const [value, ...more] = this.#form.getAll(name);
    if (more.length === 0) return value || undefined;
    throw new TokenError(
      "invalid_request",
      `${name} is given more than once`,
      "repeated_parameter",
    );
  }

  /** @throws {TokenError} invalid_request */
  required(name: Parameter): string {
    const value = this.optional(name);
    if (value !== undefined) return value;
    throw new TokenError("invalid_request", `${name} is missing`, "missing_parameter");
  }

  /**
   * A code or a token. One with a trailing newline is a malformed request, not an invalid grant.
   * @throws {TokenError} invalid_request
   */
  credential(name: "code" | "refresh_token" | "token"): string {
    const value = this.required(name);
    if (value === value.trim()) return value;
    throw new TokenError(
      "invalid_request",
      `${name} begins or ends with whitespace`,
      "malformed_parameter",
    );
  }
}

/** @throws {TokenError} unauthorized_client */
export function requireGrantType(client: Client, grantType: Client["grantTypes"][number]): void {
  if (client.grantTypes.includes(grantType)) return;
  throw new TokenError(
    "unauthorized_client",
    `this client may not use ${grantType}`,
    "grant_type_not_allowed",
  );
}

/** A refusal of the token endpoint (RFC 6749 §5.2). Its description is public. */
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

  /** `param` names an invalid query parameter like in the API's errors (spec, Errors). */
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

/**
 * Converts `error` to a refusal; null for rate limits, faults and defects, which errors.ts answers.
 */
export function asTokenError(error: unknown): TokenError | null {
  if (error instanceof TokenError) return error;
  const { statusCode = 500, code } = error as {
    readonly statusCode?: number;
    readonly code?: string;
  };
  if (statusCode < 400 || statusCode >= 500) return null;
  const description =
    code === COMPRESSED_BODY ? "the body must have no Content-Encoding" : "the body can't be read";
  return new TokenError("invalid_request", description, "unreadable_body");
}

/** A newer approval has replaced the grant (design). Guides and SDKs rely on this text. */
export const SUPERSEDED = "superseded by a newer authorization";

export type TokenRefusal = ClientRefusal | RequestRefusal | CodeRefusal | RefreshRefusal;

/**
 * invalid_client. The response is the same for all, so that a stranger learns nothing about a
 * client.
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

/** invalid_grant, for a code. */
export type CodeRefusal =
  | "unknown_code"
  | "code_of_another_client"
  | "redirect_uri_mismatch"
  | "code_verifier_mismatch"
  | "code_replayed"
  /** Ended the connection. */
  | "code_replayed_late"
  | "grant_revoked"
  | "grant_superseded";

export type RefreshRefusal =
  | "unknown_refresh_token"
  | "refresh_token_expired"
  | "connection_disabled"
  | "scope_exceeded"
  | "grant_revoked"
  | "grant_superseded";
