import { expect, test } from "vitest";
import { diagnose } from "./diagnose.ts";

test.each([
  ["a batch's token whose reason is known", 200, null, "grant_revoked", "ended"],
  ["a batch's token that we failed", 200, null, "postgres_away", "ours"],
  ["a refusal with a reason of its own", 403, "forbidden", "connection_disabled", "held"],
  ["a refusal by its error", 410, "cursor_expired", "cursor_expired", "cursor"],
  ["a call beyond a limit", 429, "too_many_requests", "concurrent_requests", "limited"],
  ["a fault", 500, "internal_error", "defect", "ours"],
  ["an error sent to the app by redirect", 302, "invalid_request", "invalid_scope", "request"],
])("the cause of %s is found", (_, status, error, reason, cause) => {
  expect(diagnose({ status, error, reason })).toBe(cause);
});
