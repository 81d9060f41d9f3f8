import type { StoredRefusal } from "@partner-connect/connections/activity";
import type { PartnerTexts } from "../texts/en.ts";

type Texts = PartnerTexts["errors"];
type Diagnosis = readonly [cause: keyof Texts["causes"], fix: keyof Texts["fixes"]];

/** By the service's own word for a refusal, of the calls of OAuth. */
const OF_REASON: Readonly<Record<string, Diagnosis>> = {
  client_disabled: ["disabled", "contact"],
  refresh_token_expired: ["expired", "reconnect"],
  grant_revoked: ["ended", "reconnect"],
  connection_disabled: ["ended", "reconnect"],
  grant_superseded: ["superseded", "newest"],
  unknown_refresh_token: ["unknown", "newest"],
  code_replayed_late: ["replayed", "reconnect"],
  invalid_redirect_uri: ["redirectUri", "request"],
};

/** By the error of the answer. The API answers `forbidden` whatever ended a connection; a refresh tells more. */
const OF_ERROR: Readonly<Record<string, Diagnosis>> = {
  forbidden: ["ended", "refresh"],
  invalid_client: ["credentials", "request"],
  invalid_grant: ["code", "restart"],
  unauthorized_client: ["grantType", "contact"],
  invalid_scope: ["scope", "scope"],
  insufficient_scope: ["scope", "scope"],
  cursor_expired: ["cursor", "cursor"],
};

/** Why a call failed, and what to do, as the errors page words it. A token of a batch that failed has its place among the results of a 200. */
export function diagnose({
  call,
  status,
  error,
  reason,
}: Pick<StoredRefusal, "call" | "status" | "error" | "reason">): Diagnosis {
  if (status === 429) return ["limited", "wait"];
  const known = OF_REASON[reason];
  if (known && (reason === "client_disabled" || call.includes(" /oauth/"))) return known;
  if (status >= 500 || status === 200) return ["ours", "wait"];
  return OF_ERROR[error ?? ""] ?? ["request", "request"];
}
