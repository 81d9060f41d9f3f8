import type { Caller } from "../authentication/caller.ts";
import { type ApiError, forbidden, insufficientScope, unauthorized } from "../errors/api-error.ts";

/**
 * What the database says of a caller, in the statement that reads or writes the data:
 * - `forbidden`: the connection is revoked, disabled, of another generation or gone; or its client is disabled; or the API
 *   key is revoked.
 * - `insufficient_scope`: the connection, or the shop's plan, lacks the scope.
 */
export type CallerState = "allowed" | "forbidden" | "insufficient_scope";

/** Why the caller is refused, or null. A revoked API key is no credential at all, so it is 401. */
export function refusal(caller: Caller, state: CallerState): ApiError | null {
  if (state === "allowed") return null;
  if (state === "insufficient_scope") return insufficientScope();
  return caller.kind === "api_key" ? unauthorized() : forbidden();
}
