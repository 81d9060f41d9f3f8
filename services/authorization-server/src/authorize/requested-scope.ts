import { isScope, type Scope } from "@partner-connect/access-token";
import type { Client } from "@partner-connect/directory";

/** Unknown scopes and those not enabled at onboarding are refused alike, and never dropped. */
export function mayRequest(client: Client, scope: readonly string[]): scope is readonly Scope[] {
  return scope.every((value) => isScope(value) && client.scope.includes(value));
}
