import type { RefusalKind } from "@partner-connect/connections/activity";
import { expect, test } from "vitest";
import { diagnose, guideOf } from "./diagnose.ts";

test.each([
  ["a batch's refused token with a specific reason", 200, null, "grant_revoked", "revoked"],
  ["a batch's malformed token", 200, null, "malformed_parameter", "request"],
  ["a batch's token that failed by our fault", 200, null, "postgres_away", "ours", "token_failed"],
  ["a refusal with a specific reason", 403, "forbidden", "connection_disabled", "disabled"],
  ["a refusal with only a specific error", 410, "cursor_expired", "cursor_expired", "cursor"],
  ["a request beyond a limit", 429, "too_many_requests", "concurrent_requests", "limited"],
  ["a server fault", 500, "internal_error", "defect", "ours"],
  ["an error sent to the app by redirect", 302, "invalid_request", "invalid_scope", "request"],
  ["an app refused by redirect", 302, "invalid_request", "grant_type_not_allowed", "grantType"],
] as [string, number, string | null, string, string, RefusalKind?][])(
  "the cause of %s is found",
  (_, status, error, reason, cause, what = "token_refused") => {
    expect(diagnose({ what, status, error, reason })).toBe(cause);
  },
);

const BROWSER = "errors#when-the-browser-";

test.each([
  ["GET /api/responses", 429, "too_many_requests", "call_rate", "errors#api-too-many-requests"],
  ["GET /api/responses", 403, "forbidden", "connection_disabled", "disconnecting#a-hold"],
  ["POST /oauth/api/token", 401, "invalid_client", "secret", "errors#token-invalid-client"],
  ["POST /oauth/api/token/batch", 200, null, "grant_revoked", "errors#token-endpoint"],
  ["GET /oauth/api/authorize", 302, "invalid_request", "invalid_scope", `${BROWSER}comes-back`],
  ["GET /oauth/api/authorize", 400, null, "invalid_client", `${BROWSER}does-not-come-back`],
])("a refusal of %s with %i %s (%s) is explained in %s", (call, status, error, reason, guide) => {
  expect(guideOf({ call, status, error, reason })).toBe(guide);
});
