import type { Caller } from "../authentication/caller.ts";
import { type ApiError, forbidden, insufficientScope, unauthorized } from "../errors/api-error.ts";

/**
 * What the database says of a caller, in the statement that reads or writes the data; one letter, as it travels with every
 * page:
 * - `k`: the caller may call.
 * - `f`: forbidden. The connection is revoked, disabled, of another generation or gone; or its client is disabled; or the
 *   API key is revoked.
 * - `s`: the connection, or the shop's plan, lacks the scope.
 */
export type CallerState = "k" | "f" | "s";

/** Why the caller is refused, or null. A revoked API key is no credential at all, so it is 401. */
export function refusal(caller: Caller, state: CallerState): ApiError | null {
  if (state === "k") return null;
  if (state === "s") return insufficientScope();
  return caller.kind === "api_key" ? unauthorized() : forbidden();
}
