/** Why the token endpoint refuses, in one word. The set is closed: the words are labels of metrics. */
export type TokenRefusal = ClientRefusal | RequestRefusal | CodeRefusal | RefreshRefusal;

/** invalid_client: one answer for all, so that a stranger learns nothing about a client. */
export type ClientRefusal =
  | "no_credentials"
  | "malformed_credentials"
  /** In the body or the query, or for two clients. */
  | "misplaced_credentials"
  | "unknown_client"
  | "wrong_secret"
  | "expired_secret"
  | "client_disabled";

/** invalid_request, unsupported_grant_type, unauthorized_client. */
export type RequestRefusal =
  | "unreadable_body"
  | "not_a_form"
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

/** invalid_grant and invalid_scope, for a refresh token. */
export type RefreshRefusal =
  | "unknown_refresh_token"
  | "refresh_token_expired"
  | "connection_disabled"
  | "scope_exceeded"
  | "grant_revoked"
  | "grant_superseded";
