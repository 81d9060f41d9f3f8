import type { StoredRefusal } from "@partner-connect/connections/activity";

/** The causes of failed calls, as the pages word them. The first three are also statuses. */
export const CAUSES = {
  expired: "The connection was unused for 30 days. Ask the merchant to connect again.",
  revoked: "The connection has ended. Offer the merchant to connect again.",
  disabled:
    "We have put this connection on hold. Keep its token and contact us; the merchant can’t reconnect it now.",
  stale: "This access token is from before a hold or a disconnect. Refresh once.",
  superseded: "A newer approval replaced this token. Use the newest one.",
  unknown: "This refresh token isn’t yours. Check which client and environment it is from.",
  code: "The code expired, was used, or doesn’t match the request. Start again.",
  replayed: "The code was reused, which ended the connection. Connect again.",
  credentials: "The client ID or secret is wrong, or wasn’t sent with HTTP Basic.",
  clientDisabled: "Your app is disabled. Contact us.",
  grantType: "Your app may not use this grant type. Contact us.",
  scope: "The approval or plan doesn’t include this scope.",
  redirectUri: "This redirect URI isn’t registered. Send one exactly as registered.",
  request: "Part of the request is missing, repeated or invalid.",
  cursor: "We restored data. Read the feed from the beginning.",
  limited: "Too many calls. Wait the number of seconds in retry-after.",
  ours: "The problem was on our side. Try again after the seconds in retry-after.",
} as const;

type Cause = keyof typeof CAUSES;

/** The cause for each reason in the log. */
const OF_REASON: Readonly<Record<string, Cause>> = {
  client_disabled: "clientDisabled",
  grant_type_not_allowed: "grantType",
  refresh_token_expired: "expired",
  grant_revoked: "revoked",
  connection_disabled: "disabled",
  token_superseded: "stale",
  grant_superseded: "superseded",
  unknown_refresh_token: "unknown",
  code_replayed_late: "replayed",
  invalid_redirect_uri: "redirectUri",
};

/** The cause for each `error` of a response. */
const OF_ERROR: Readonly<Record<string, Cause>> = {
  forbidden: "revoked",
  invalid_client: "credentials",
  invalid_grant: "code",
  invalid_scope: "scope",
  insufficient_scope: "scope",
  cursor_expired: "cursor",
};

type Facts<K extends "what" | "call"> = Pick<StoredRefusal, K | "status" | "error" | "reason">;

/** The cause of a failed call. For a token of a batch, the status is 200. */
export function diagnose({ what, status, error, reason }: Facts<"what">): Cause {
  if (status === 429) return "limited";
  const known = OF_REASON[reason];
  if (known) return known;
  if (status >= 500 || what === "token_failed") return "ours";
  return OF_ERROR[error ?? ""] ?? "request";
}

/** The path, below the docs, of the section that explains the response. */
export function guideOf({ call, status, error, reason }: Facts<"call">): string {
  if (OF_REASON[reason] === "disabled") return "disconnecting#a-hold";
  // A token of a batch. The batch gets 200, so no `error` that could name a section is stored.
  if (status === 200) return "errors#token-endpoint";
  if (status === 302) return "errors#when-the-browser-comes-back";
  if (error === null) return "errors#when-the-browser-does-not-come-back";
  const place = call.includes(" /api/") ? "api" : "token";
  return `errors#${place}-${error.replaceAll("_", "-")}`;
}
