import { expect, test } from "vitest";
import { diagnose } from "./diagnose.ts";

const TOKEN = "POST /oauth/api/token";
const BATCH = "POST /oauth/api/token/batch";
const LIST = "GET /oauth/api/connections";
const API = "GET /api/responses";
const AUTHORIZE = "GET /oauth/api/authorize";

test.each<readonly [string, number, string | null, string, string]>([
  [TOKEN, 400, "invalid_grant", "refresh_token_expired", "expired reconnect"],
  [TOKEN, 400, "invalid_grant", "grant_revoked", "ended reconnect"],
  [TOKEN, 400, "invalid_grant", "connection_disabled", "ended reconnect"],
  [TOKEN, 400, "invalid_grant", "unknown_refresh_token", "unknown newest"],
  [TOKEN, 400, "invalid_grant", "grant_superseded", "superseded newest"],
  [TOKEN, 400, "invalid_grant", "code_verifier_mismatch", "code restart"],
  [TOKEN, 400, "invalid_grant", "code_replayed", "code restart"],
  [TOKEN, 400, "invalid_grant", "code_replayed_late", "replayed reconnect"],
  [TOKEN, 401, "invalid_client", "wrong_secret", "credentials request"],
  [TOKEN, 401, "invalid_client", "client_disabled", "disabled contact"],
  [TOKEN, 400, "invalid_request", "missing_parameter", "request request"],
  [TOKEN, 400, "unsupported_grant_type", "unsupported_grant_type", "request request"],
  [TOKEN, 400, "unauthorized_client", "grant_type_not_allowed", "grantType contact"],
  [TOKEN, 400, "invalid_scope", "scope_exceeded", "scope scope"],
  [TOKEN, 503, "unavailable", "postgres_away", "ours wait"],
  [BATCH, 200, null, "grant_revoked", "ended reconnect"],
  [BATCH, 200, null, "postgres_away", "ours wait"],
  [LIST, 410, "cursor_expired", "cursor_expired", "cursor cursor"],
  [API, 403, "forbidden", "connection_disabled", "ended refresh"],
  [API, 403, "forbidden", "client_disabled", "disabled contact"],
  [API, 403, "insufficient_scope", "plan_lacks_scope", "scope scope"],
  [API, 400, "invalid_request", "invalid_parameter", "request request"],
  [API, 429, "too_many_requests", "concurrent_requests", "limited wait"],
  [API, 500, "internal_error", "defect", "ours wait"],
  [AUTHORIZE, 302, "invalid_request", "invalid_scope", "request request"],
  [AUTHORIZE, 400, null, "invalid_redirect_uri", "redirectUri request"],
  [AUTHORIZE, 400, null, "client_disabled", "disabled contact"],
])("%s %i %s (%s) has the cause and the fix %s", (call, status, error, reason, expected) => {
  expect(diagnose({ call, status, error, reason }).join(" ")).toBe(expected);
});
