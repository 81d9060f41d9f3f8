import type { StoredRefusal } from "@partner-connect/connections/activity";
import type { PartnerTexts } from "../texts/en.ts";

type Cause = keyof PartnerTexts["errors"]["causes"];

/** The cause by the logged reason, for calls of the OAuth endpoints. */
const OF_REASON: Readonly<Record<string, Cause>> = {
  client_disabled: "disabled",
  refresh_token_expired: "expired",
  grant_revoked: "ended",
  connection_disabled: "ended",
  grant_superseded: "superseded",
  unknown_refresh_token: "unknown",
  code_replayed_late: "replayed",
  invalid_redirect_uri: "redirectUri",
};

/** The cause by the `error` of the response. The API responds `forbidden` whatever ended a connection. */
const OF_ERROR: Readonly<Record<string, Cause>> = {
  forbidden: "ended",
  invalid_client: "credentials",
  invalid_grant: "code",
  unauthorized_client: "grantType",
  invalid_scope: "scope",
  insufficient_scope: "scope",
  cursor_expired: "cursor",
};

/** Why a call failed, as the errors page words it. A token of a batch that failed has its place among the results of a 200. */
export function diagnose({
  call,
  status,
  error,
  reason,
}: Pick<StoredRefusal, "call" | "status" | "error" | "reason">): Cause {
  if (status === 429) return "limited";
  const known = OF_REASON[reason];
  if (known && (reason === "client_disabled" || call.includes(" /oauth/"))) return known;
  if (status >= 500 || status === 200) return "ours";
  return OF_ERROR[error ?? ""] ?? "request";
}
