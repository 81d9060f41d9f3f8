import { type Actor, recordAudit } from "@partner-connect/audit";
import { type Sql, transaction } from "@partner-connect/database";
import { changesOf } from "../changes-of.ts";
import { DirectoryError } from "../directory-error.ts";
import { displayName } from "../display-name.ts";
import { type ClientSummary, logoPath, storeLogo } from "./client.ts";
import { type ClientIdentity, requireIdentity, requireRedirectUris, requireScope } from "./client-rules.ts";
import { lockClient, lockNames, requireFreeName } from "./clients.ts";

/** A change of a client by an operator. Omitted fields stay; null removes a value. */
export interface ClientUpdate extends Partial<ClientIdentity> {
  readonly name?: string | undefined;
  readonly addRedirectUris?: readonly string[] | undefined;
  readonly removeRedirectUris?: readonly string[] | undefined;
  /** All scopes that it may request from now on. */
  readonly scope?: readonly string[] | undefined;
  /** A WebP image of at most 64 KB. */
  readonly logo?: Buffer | null | undefined;
  /** The new name may be another active client's too. */
  readonly allowDuplicateName?: boolean | undefined;
}

/** The client as it is after the update. @throws {DirectoryError} INVALID_NAME, INVALID_REDIRECT_URI, INVALID_SCOPE, INVALID_WEB_ADDRESS, INVALID_EMAIL */
export function updatedClient(client: ClientSummary, update: ClientUpdate): ClientSummary {
  const given = Object.entries(requireIdentity(update)).filter(([, value]) => value !== undefined);
  const identity: Partial<Pick<ClientSummary, "publisher" | "website" | "privacyPolicy" | "contact">> =
    Object.fromEntries(given);
  const { logo } = update;
  return {
    ...client,
    name: update.name === undefined ? client.name : displayName(update.name, "client"),
    redirectUris: redirectUrisAfter(client.redirectUris, update),
    scope: update.scope === undefined ? client.scope : requireScope(update.scope),
    ...identity,
    logoPath: logo === undefined ? client.logoPath : logo && logoPath(client.clientId, logo),
  };
}

/** The change as the audit log has it. */
const FIELDS = {
  name: "name",
  redirect_uris: "redirectUris",
  scope: "scope",
  publisher: "publisher",
  website: "website",
  privacy_policy: "privacyPolicy",
  contact: "contact",
  logo: "logoPath",
} as const;

function redirectUrisAfter(registered: readonly string[], update: ClientUpdate): readonly string[] {
  const { addRedirectUris: added = [], removeRedirectUris: removed = [] } = update;
  const refuse = (uri: string, problem: string) =>
    new DirectoryError("INVALID_REDIRECT_URI", `the redirect URI ${JSON.stringify(uri)} ${problem}`);
  for (const uri of removed) {
    if (!registered.includes(uri)) throw refuse(uri, "is not registered; each is named byte for byte");
    if (added.includes(uri)) throw refuse(uri, "can't be added and removed at once");
  }
  const kept = registered.filter((uri) => !removed.includes(uri));
  // Those that stay may be older than today's rules.
  return added.length > 0 || kept.length === 0 ? [...new Set([...kept, ...requireRedirectUris(added)])] : kept;
}

/**
 * Changes a client; its connections stay. The authorization server caches clients for half a second. An update that changes
 * nothing leaves no record. Index: clients_pkey.
 * @throws {DirectoryError} UNKNOWN_CLIENT, CLIENT_NAME_TAKEN, and what {@link updatedClient} throws
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
    const changes = changesOf<ClientSummary>(before, after, FIELDS);
    if (Object.keys(changes).length === 0) return before;
    if (changes["name"] && after.status === "active" && !update.allowDuplicateName) {
      await requireFreeName(tx, after.name, clientId);
    }
    await tx`
      UPDATE directory.clients SET name = ${after.name}, redirect_uris = ${[...after.redirectUris]},
        scope = ${[...after.scope]}, publisher = ${after.publisher}, website = ${after.website},
        privacy_policy = ${after.privacyPolicy}, contact = ${after.contact}
      WHERE client_id = ${clientId}`;
    if (changes["logo"]) await storeLogo(tx, clientId, update.logo ?? null);
    await recordAudit(tx, { action: "client_update", clientId, detail: changes }, actor);
    return after;
  });
}
