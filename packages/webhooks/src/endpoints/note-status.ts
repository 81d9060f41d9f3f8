import { appendTogether } from "@partner-connect/changes";
import type { Transaction } from "@partner-connect/database";

/** Tells in the client's feed that one of its endpoints was paused or goes on: an entry that concerns no connection. */
export async function noteStatus(tx: Transaction, clientId: string): Promise<void> {
  await appendTogether(tx, [{ clientId, connectionId: "", shopId: null, kind: "webhook", at: new Date() }]);
}
