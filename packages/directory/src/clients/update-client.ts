import { type Actor, recordAudit } from "@partner-connect/audit";
import { type Sql, transaction } from "@partner-connect/database";
import { storeLogo } from "./client-logo.ts";
import { lockNames, requireFreeName } from "./client-name.ts";
import type { ClientSummary } from "./client-row.ts";
import { type ClientUpdate, changesOf, updatedClient } from "./client-update.ts";
import { lockClient } from "./clients.ts";

/**
 * Changes a client; its connections stay. The authorization server caches clients for half a second. An update that changes
 * nothing leaves no record. Index: clients_pkey.
 */
export async function updateClient(
  sql: Sql,
  clientId: string,
  update: ClientUpdate,
  actor: Actor,
): Promise<ClientSummary> {
  return await transaction(sql, async (tx) => {
    if (update.name !== undefined) await lockNames(tx);
    const before = await lockClient(tx, clientId);
    const after = updatedClient(before, update);
    const changes = changesOf(before, after);
    if (Object.keys(changes).length === 0) return before;
    if (changes["name"] && after.status === "active" && !update.allowDuplicateName) {
      await requireFreeName(tx, after.name, clientId);
    }
    await tx`
      UPDATE directory.clients SET name = ${after.name}, redirect_uris = ${[...after.redirectUris]},
        scope = ${[...after.scope]}, publisher = ${after.publisher}, website = ${after.website},
        privacy_policy = ${after.privacyPolicy}
      WHERE client_id = ${clientId}`;
    if (changes["logo"]) await storeLogo(tx, clientId, update.logo ?? null);
    await recordAudit(tx, { action: "client_update", clientId, detail: changes }, actor);
    return after;
  });
}
