/**
 * Why a call was refused or failed, in one word for the log and the metrics, where the wire says less. Each set is closed: the
 * words are labels of metrics.
 */

/** 401: what is wrong with the credential. */
export type CredentialReason = TokenReason | ApiKeyReason | "malformed_credential";

export type TokenReason =
  /** Not of the form of our access tokens, or with claims that ours don't have. */
  | "malformed_token"
  | "token_expired"
  /** Issued in the future: a clock is wrong. */
  | "token_not_yet_valid"
  | "wrong_issuer"
  | "wrong_audience"
  /** The authorization server publishes no such key, or no longer. */
  | "unknown_key"
  | "bad_signature";

export type ApiKeyReason = "unknown_api_key" | "revoked_api_key";

/** 403: what has become of the caller since the credential was made. */
export type CallerReason =
  | "connection_revoked"
  /** Approved, and no code was exchanged since. */
  | "connection_not_exchanged"
  | "connection_disabled"
  /** The connection was revoked or held since, and connected anew: this token is from before. */
  | "token_superseded"
  | "client_disabled"
  | "unknown_connection";

/** 403, and who lacks the scope. */
export type ScopeReason = "token_lacks_scope" | "connection_lacks_scope" | "plan_lacks_scope";

/** 429: what the caller has used up. */
export type Limit = "api" | "unread_answers" | "exports";

/** 503: what we lack ourselves. Other faults: `faultReason`. */
export type FaultReason =
  | "too_many_statements"
  | "too_many_writes"
  | "answer_memory_full"
  | "too_many_exports"
  | "positions_unavailable"
  | (string & {});
