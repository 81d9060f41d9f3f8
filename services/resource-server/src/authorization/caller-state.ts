import { type ApiError, forbidden, insufficientScope, unauthorized } from "../errors/api-error.ts";
import type { ApiKeyReason, CallerReason } from "../errors/reason.ts";

/** What the database says of a caller, in the statement that reads the data, or after the write, before its commit: `allowed`, or why not. */
export type CallerState = "allowed" | CallerReason | ApiKeyReason | "connection_lacks_scope" | "plan_lacks_scope";

/** Why the caller is refused, or null. A revoked API key is no credential at all, so it is 401. */
export function refusal(state: CallerState): ApiError | null {
  switch (state) {
    case "allowed":
      return null;
    case "connection_lacks_scope":
    case "plan_lacks_scope":
      return insufficientScope(state);
    case "unknown_api_key":
    case "revoked_api_key":
      return unauthorized(state);
    default:
      return forbidden(state);
  }
}
