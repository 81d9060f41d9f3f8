import { expect, test } from "vitest";
import { diagnose } from "./diagnose.ts";

const TOKEN = "POST /oauth/api/token";
const BATCH = "POST /oauth/api/token/batch";
const LIST = "GET /oauth/api/connections";
const API = "GET /api/responses";
const AUTHORIZE = "GET /oauth/api/authorize";

test("each refusal is explained by one cause", () => {
  const causes: [string, number, string | null, string, string][] = [
    [TOKEN, 400, "invalid_grant", "refresh_token_expired", "expired"],
    [TOKEN, 400, "invalid_grant", "grant_revoked", "ended"],
    [TOKEN, 400, "invalid_grant", "connection_disabled", "held"],
    [TOKEN, 400, "invalid_grant", "unknown_refresh_token", "unknown"],
    [TOKEN, 400, "invalid_grant", "grant_superseded", "superseded"],
    [TOKEN, 400, "invalid_grant", "code_verifier_mismatch", "code"],
    [TOKEN, 400, "invalid_grant", "code_replayed", "code"],
    [TOKEN, 400, "invalid_grant", "code_replayed_late", "replayed"],
    [TOKEN, 401, "invalid_client", "wrong_secret", "credentials"],
    [TOKEN, 401, "invalid_client", "client_disabled", "disabled"],
    [TOKEN, 400, "invalid_request", "missing_parameter", "request"],
    [TOKEN, 400, "unsupported_grant_type", "unsupported_grant_type", "request"],
    [TOKEN, 400, "unauthorized_client", "grant_type_not_allowed", "grantType"],
    [TOKEN, 400, "invalid_scope", "scope_exceeded", "scope"],
    [TOKEN, 503, "unavailable", "postgres_away", "ours"],
    [BATCH, 200, null, "grant_revoked", "ended"],
    [BATCH, 200, null, "postgres_away", "ours"],
    [LIST, 410, "cursor_expired", "cursor_expired", "cursor"],
    [API, 403, "forbidden", "connection_revoked", "ended"],
    [API, 403, "forbidden", "connection_disabled", "held"],
    [API, 403, "forbidden", "token_superseded", "stale"],
    [API, 403, "forbidden", "client_disabled", "disabled"],
    [API, 403, "insufficient_scope", "plan_lacks_scope", "scope"],
    [API, 400, "invalid_request", "invalid_parameter", "request"],
    [API, 429, "too_many_requests", "concurrent_requests", "limited"],
    [API, 500, "internal_error", "defect", "ours"],
    [AUTHORIZE, 302, "invalid_request", "invalid_scope", "request"],
    [AUTHORIZE, 400, null, "invalid_redirect_uri", "redirectUri"],
    [AUTHORIZE, 400, null, "client_disabled", "disabled"],
  ];
  for (const [call, status, error, reason, cause] of causes) {
    expect.soft(diagnose({ status, error, reason }), `${call} ${reason}`).toBe(cause);
  }
});
