/** Each error of the SDK, by the `code` that it has. Codes are stable; messages may change. */
export type ErrorCode =
  | "state_mismatch"
  | "missing_verifier"
  | "issuer_mismatch"
  | "authorization_denied"
  | "invalid_base_url"
  | "reconnect_required"
  | "answer_lost"
  | "invalid_grant"
  | "invalid_client"
  | "invalid_request"
  | "token_limit_reached"
  | "unknown_connection"
  | "unauthorized"
  | "forbidden"
  | "insufficient_scope"
  | "cursor_expired"
  | "invalid_webhook"
  | "unavailable"
  | "store_failed";

export interface ErrorDetail extends ErrorOptions {
  /** The `x-request-id` of the answer. Name it when you ask us about it. */
  readonly requestId?: string | undefined;
}

const TEMPORARY: readonly ErrorCode[] = ["token_limit_reached", "unavailable", "store_failed"];

/** What all errors of the SDK are. No message, and no property, has a token, a code or a secret in it. */
export abstract class PartnerConnectError extends Error {
  abstract readonly code: ErrorCode;
  readonly requestId: string | undefined;

  constructor(message: string, { requestId, ...options }: ErrorDetail = {}) {
    super(message, options);
    this.name = new.target.name;
    this.requestId = requestId;
  }

  /** Whether the same call may succeed later, without a merchant or a developer doing anything. */
  get isTemporary(): boolean {
    return TEMPORARY.includes(this.code);
  }
}
