import { isScope } from "@partner-connect/access-token";
import type { Client } from "@partner-connect/directory";

/** Unknown scopes and those not enabled at onboarding are refused alike, and never dropped. */
export function mayRequest(client: Client, scope: string): boolean {
  return isScope(scope) && client.scope.includes(scope);
}
