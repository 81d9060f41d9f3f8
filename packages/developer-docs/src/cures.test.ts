import { expect, test } from "vitest";
import { cureOf } from "./cures.ts";
import { guideText } from "./guides.ts";

const HEADINGS = [...guideText("errors").matchAll(/^## (.+)$/gm)].map(([, words = ""]) =>
  words.toLowerCase().replaceAll(" ", "-"),
);
const TOKEN = "POST /oauth/api/token";
const BATCH = "POST /oauth/api/token/batch";
const LIST = "GET /oauth/api/connections";
const API = "GET /api/responses";
const AUTHORIZE = "GET /oauth/api/authorize";

test.each<readonly [string, number, string | null, string, RegExp]>([
  [TOKEN, 400, "invalid_grant", "refresh_token_expired", /30 days.*connects again/],
  [TOKEN, 400, "invalid_grant", "grant_revoked", /disconnected your app.*connects again/],
  [TOKEN, 400, "invalid_grant", "connection_disabled", /on hold.*connects again/],
  [TOKEN, 400, "invalid_grant", "unknown_refresh_token", /not one of yours.*look up which you sent/],
  [TOKEN, 400, "invalid_grant", "grant_superseded", /approved again.*newest token/],
  ...["unknown_code", "code_of_another_client", "redirect_uri_mismatch", "code_verifier_mismatch"].map(
    (reason) => [TOKEN, 400, "invalid_grant", reason, /five minutes.*new attempt/] as const,
  ),
  [TOKEN, 400, "invalid_grant", "code_replayed", /was used.*new attempt/],
  ...["malformed_credentials", "misplaced_credentials", "wrong_secret", "expired_secret"].map(
    (reason) => [TOKEN, 401, "invalid_client", reason, /secret is wrong.*HTTP Basic/] as const,
  ),
  [TOKEN, 401, "invalid_client", "client_disabled", /your client is disabled.*ask us/],
  ...["unreadable_body", "missing_parameter", "repeated_parameter", "malformed_code_verifier"].map(
    (reason) => [TOKEN, 400, "invalid_request", reason, /parameter is missing.*description names/] as const,
  ),
  [TOKEN, 400, "unsupported_grant_type", "unsupported_grant_type", /neither.*mistake/],
  [TOKEN, 400, "unauthorized_client", "grant_type_not_allowed", /may not use.*ask us/],
  [TOKEN, 400, "invalid_scope", "scope_exceeded", /doesn&#39;t have.*leave|doesn't have.*leave/],
  [TOKEN, 503, "unavailable", "postgres_away", /ours.*retry-after/],
  [BATCH, 400, "invalid_request", "malformed_batch", /256 KB.*mistake/],
  [BATCH, 200, null, "grant_revoked", /disconnected your app/],
  [BATCH, 200, null, "postgres_away", /one shop.*refresh it again/],
  [LIST, 400, "invalid_request", "invalid_parameter", /breaks a rule.*names it/],
  [LIST, 400, "invalid_request", "unknown_cursor", /breaks a rule.*names it/],
  [LIST, 410, "cursor_expired", "cursor_expired", /restored.*from the beginning/],
  ...["connection_revoked", "connection_not_exchanged", "connection_disabled", "token_superseded"].map(
    (reason) => [API, 403, "forbidden", reason, /revoked or is on hold.*refresh, once/] as const,
  ),
  [API, 403, "forbidden", "client_disabled", /your client is disabled.*refresh, once/],
  ...["token_lacks_scope", "connection_lacks_scope", "plan_lacks_scope"].map(
    (reason) => [API, 403, "insufficient_scope", reason, /not granted.*docs\/plans/] as const,
  ),
  [API, 400, "invalid_request", "invalid_parameter", /breaks a rule.*names it/],
  [API, 400, "invalid_request", "malformed_body", /breaks a rule.*names it/],
  [API, 404, "not_found", "not_found", /no such path/],
  ["POST /api/sources", 413, "payload_too_large", "payload_too_large", /too large.*mistake/],
  ["POST /api/sources", 415, "unsupported_media_type", "unsupported_media_type", /not JSON.*mistake/],
  ["POST /api/sources", 422, "idempotency_key_reused", "idempotency_key_reused", /another body.*new key/],
  ...["api", "concurrent_requests"].map(
    (reason) => [API, 429, "too_many_requests", reason, /600 calls.*retry-after/] as const,
  ),
  [API, 500, "internal_error", "defect", /defect.*x-request-id/],
  [API, 503, "unavailable", "too_many_requests", /ours.*retry-after/],
  [AUTHORIZE, 302, "invalid_request", "invalid_scope", /was wrong.*mistake in your link/],
  [AUTHORIZE, 400, null, "invalid_redirect_uri", /byte for byte.*compare/],
  [AUTHORIZE, 400, null, "invalid_state", /missing, given twice.*each attempt/],
  [AUTHORIZE, 400, null, "client_disabled", /client is disabled.*ask us/],
])("%s %i %s (%s) has the cure of its row in the guide", (call, status, error, reason, expected) => {
  const what = call === AUTHORIZE ? "authorize_refused" : call.includes("token") ? "token_refused" : "refused";
  const cure = cureOf({ what, call, status, error, reason });
  expect(`${cure?.cause} ${cure?.cure}`).toMatch(expected);
  expect(HEADINGS).toContain(cure?.path.replace("/docs/errors#", ""));
});
