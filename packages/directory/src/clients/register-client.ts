import { randomBytes } from "node:crypto";
import { type Actor, recordAudit } from "@partner-connect/audit";
import { type Sql, transaction } from "@partner-connect/database";
import { changesOf } from "../changes-of.ts";
import { hashCredential, newCredential } from "../credentials.ts";
import { displayName } from "../display-name.ts";
import {
  type ClientIdentity,
  redirectUriError,
  requireGrantTypes,
  requireIdentity,
  requireRedirectUris,
  requireScope,
} from "./client-rules.ts";
import {
  type ClientSummary,
  GRANT_TYPES,
  lockClient,
  lockClientNames,
  logoPath,
  requireFreeName,
  storeLogo,
} from "./clients.ts";

export interface NewClient extends Partial<ClientIdentity> {
  /** The name on the consent page. */
  readonly name: string;
  readonly redirectUris: readonly string[];
  readonly scope: readonly string[];
  /** Default: all grant types. */
  readonly grantTypes?: readonly string[] | undefined;
  /** A WebP image of at most 64 KB. */
  readonly logo?: Buffer | undefined;
  /** Allows a name that another active client has. */
  readonly allowDuplicateName?: boolean | undefined;
}

/**
 * Registers a client. Returns its secret, which is stored only as a hash.
 * @throws {DirectoryError} INVALID_NAME, INVALID_REDIRECT_URI, INVALID_SCOPE, INVALID_GRANT_TYPE,
 * INVALID_WEB_ADDRESS, INVALID_EMAIL, CLIENT_NAME_TAKEN
 */
export async function createClient(
  sql: Sql,
  given: NewClient,
  actor: Actor,
): Promise<{ readonly client: ClientSummary; readonly secret: string }> {
  const client = newClient(given);
  const { clientId, name, grantTypes } = client;
  const secret = newCredential("pcs");
  await transaction(sql, async (tx) => {
    await lockClientNames(tx);
    if (!given.allowDuplicateName) await requireFreeName(tx, name, clientId);
    await tx`
      INSERT INTO directory.clients (client_id, name, redirect_uris, scope, grant_types, publisher, website, privacy_policy, contact)
      VALUES (${clientId}, ${name}, ${client.redirectUris}, ${client.scope}, ${grantTypes}, ${client.publisher}, ${client.website},
              ${client.privacyPolicy}, ${client.contact})`;
    await tx`INSERT INTO directory.client_secrets (client_id, secret_hash, last_four) VALUES (${clientId}, ${hashCredential(secret)}, ${secret.slice(-4)})`;
    if (given.logo) await storeLogo(tx, clientId, given.logo);
    const detail = { ...detailOf(client), grant_types: grantTypes };
    await recordAudit(tx, { action: "client_create", clientId, detail }, actor);
  });
  return { client, secret };
}

/** The fields that an update may change, with their names in audit records. */
const detailOf = ({ name, scope, publisher, website, contact, ...client }: ClientSummary) => ({
  ...{ name, redirect_uris: client.redirectUris, scope },
  ...{ publisher, website, privacy_policy: client.privacyPolicy, contact, logo: client.logoPath },
});

/** The validated client with a new id. @throws {DirectoryError} if a value can't be registered */
function newClient(given: NewClient): ClientSummary {
  // Ids begin with the time, so that lists show clients in the order of creation.
  const clientId = `client_${Date.now().toString(16).padStart(12, "0")}${randomBytes(6).toString("hex")}`;
  const {
    publisher = null,
    website = null,
    privacyPolicy = null,
    contact = null,
  } = requireIdentity(given);
  return {
    clientId,
    name: displayName(given.name, "client"),
    redirectUris: requireRedirectUris(given.redirectUris),
    scope: requireScope(given.scope),
    grantTypes: requireGrantTypes(given.grantTypes ?? GRANT_TYPES),
    status: "active",
    ...{ publisher, website, privacyPolicy, contact },
    logoPath: given.logo ? logoPath(clientId, given.logo) : null,
  };
}

/** A change of a client by an operator. Omitted fields stay; null removes a value. */
export interface ClientUpdate extends Partial<ClientIdentity> {
  readonly name?: string | undefined;
  readonly addRedirectUris?: readonly string[] | undefined;
  readonly removeRedirectUris?: readonly string[] | undefined;
  /** All scopes that the client may request from now on. */
  readonly scope?: readonly string[] | undefined;
  /** A WebP image of at most 64 KB. */
  readonly logo?: Buffer | null | undefined;
  /** Allows a new name that another active client has. */
  readonly allowDuplicateName?: boolean | undefined;
}

/**
 * The client as it is after the update. @throws {DirectoryError} INVALID_NAME,
 * INVALID_REDIRECT_URI, INVALID_SCOPE, INVALID_WEB_ADDRESS, INVALID_EMAIL
 */
export function updatedClient(client: ClientSummary, update: ClientUpdate): ClientSummary {
  const { logo } = update;
  const identity = Object.entries(requireIdentity(update)).filter(
    ([, value]) => value !== undefined,
  );
  return {
    ...client,
    name: update.name === undefined ? client.name : displayName(update.name, "client"),
    redirectUris: redirectUrisAfter(client.redirectUris, update),
    scope: update.scope === undefined ? client.scope : requireScope(update.scope),
    ...(Object.fromEntries(identity) as Partial<ClientSummary>),
    logoPath: logo === undefined ? client.logoPath : logo && logoPath(client.clientId, logo),
  };
}

function redirectUrisAfter(registered: readonly string[], update: ClientUpdate): readonly string[] {
  const { addRedirectUris: added = [], removeRedirectUris: removed = [] } = update;
  for (const uri of removed) {
    if (!registered.includes(uri))
      throw redirectUriError(uri, "is not registered exactly like this");
    if (added.includes(uri)) throw redirectUriError(uri, "can't be added and removed at once");
  }
  const kept = registered.filter((uri) => !removed.includes(uri));
  // Check only the added URIs: the others may predate today's rules.
  return added.length > 0 || kept.length === 0
    ? [...new Set([...kept, ...requireRedirectUris(added)])]
    : kept;
}

/**
 * Changes a client; its connections stay. The authorization server caches clients for half a
 * second. An update that changes nothing leaves no record. Index: clients_pkey.
 * @throws {DirectoryError} UNKNOWN_CLIENT, CLIENT_NAME_TAKEN, and what {@link updatedClient} throws
 */
export async function updateClient(sql: Sql, clientId: string, update: ClientUpdate, actor: Actor) {
  return await transaction(sql, async (tx) => {
    if (update.name !== undefined) await lockClientNames(tx);
    const before = await lockClient(tx, clientId);
    const after = updatedClient(before, update);
    const changes = changesOf(detailOf(before), detailOf(after));
    if (Object.keys(changes).length === 0) return before;
    if (changes["name"] && after.status === "active" && !update.allowDuplicateName) {
      await requireFreeName(tx, after.name, clientId);
    }
    await tx`
      UPDATE directory.clients SET name = ${after.name}, redirect_uris = ${after.redirectUris}, scope = ${after.scope},
        publisher = ${after.publisher}, website = ${after.website}, privacy_policy = ${after.privacyPolicy}, contact = ${after.contact}
      WHERE client_id = ${clientId}`;
    if (changes["logo"]) await storeLogo(tx, clientId, update.logo ?? null);
    await recordAudit(tx, { action: "client_update", clientId, detail: changes }, actor);
    return after;
  });
}
