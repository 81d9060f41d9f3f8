import type { Scope } from "@partner-connect/access-token";
import type { Caller } from "../authentication/caller.ts";
import { type ApiError, forbidden, insufficientScope, unauthorized } from "../errors/api-error.ts";

/**
 * What the database says of a caller, in one letter, beside the data of the same statement:
 * `k` may call; `f` the connection is revoked, disabled, of another generation or gone, its client disabled, or the
 * key revoked; `s` the connection, or the shop's plan, lacks the scope.
 */
export type CallerState = "k" | "f" | "s";

/** Why the caller is refused, or null. A dead connection is `forbidden`, a dead key is no credential at all. */
export function refusal(caller: Caller, state: CallerState): ApiError | null {
  if (state === "k") return null;
  if (state === "s") return insufficientScope();
  return caller.kind === "api_key" ? unauthorized() : forbidden();
}

/** Whether the credential itself covers the scope; what the connection or the shop has is for the database to say. */
export function coversScope(caller: Caller, scope: Scope): boolean {
  return caller.kind === "api_key" || caller.scope.includes(scope);
}
