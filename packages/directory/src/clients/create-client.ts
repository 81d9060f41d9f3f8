import { randomBytes } from "node:crypto";
import { type Actor, recordAudit } from "@partner-connect/audit";
import { type Sql, transaction } from "@partner-connect/database";
import { displayName } from "../display-name.ts";
import { hashCredential, newCredential } from "../passwords/password.ts";
import { type ClientSummary, GRANT_TYPES, logoPath, storeLogo } from "./client.ts";
import {
  type ClientIdentity,
  requireGrantTypes,
  requireIdentity,
  requireRedirectUris,
  requireScope,
} from "./client-rules.ts";
import { lockNames, requireFreeName } from "./clients.ts";

export interface NewClient extends Partial<ClientIdentity> {
  /** The name on the consent page. */
  readonly name: string;
  readonly redirectUris: readonly string[];
  readonly scope: readonly string[];
  /** Default: both. */
  readonly grantTypes?: readonly string[] | undefined;
  /** A WebP image of at most 64 KB. */
  readonly logo?: Buffer | undefined;
  /** The name may be another active client's too. */
  readonly allowDuplicateName?: boolean | undefined;
}

/**
 * Registers a client. Its secret is returned here and never again: only the hash is stored.
 * @throws {DirectoryError} INVALID_NAME, INVALID_REDIRECT_URI, INVALID_SCOPE, INVALID_GRANT_TYPE, INVALID_WEB_ADDRESS, CLIENT_NAME_TAKEN
 */
export async function createClient(
  sql: Sql,
  given: NewClient,
  actor: Actor,
): Promise<{ readonly client: ClientSummary; readonly secret: string }> {
  const { logo = null } = given;
  const client = newClient(given);
  const { clientId, name, redirectUris, scope, grantTypes, publisher, website, privacyPolicy, contact } = client;
  const secret = newCredential("pcs");
  await transaction(sql, async (tx) => {
    await lockNames(tx);
    if (!given.allowDuplicateName) await requireFreeName(tx, name, clientId);
    await tx`
      INSERT INTO directory.clients (client_id, name, redirect_uris, scope, grant_types, publisher, website, privacy_policy, contact)
      VALUES (${clientId}, ${name}, ${[...redirectUris]}, ${[...scope]}, ${[...grantTypes]}, ${publisher}, ${website},
              ${privacyPolicy}, ${contact})`;
    await tx`INSERT INTO directory.client_secrets (client_id, secret_hash) VALUES (${clientId}, ${hashCredential(secret)})`;
    if (logo) await storeLogo(tx, clientId, logo);
    const identity = { publisher, website, privacy_policy: privacyPolicy, contact, logo: client.logoPath };
    const detail = { name, redirect_uris: redirectUris, scope, grant_types: grantTypes, ...identity };
    await recordAudit(tx, { action: "client_create", clientId, detail }, actor);
  });
  return { client, secret };
}

/** @throws {DirectoryError} for what can't be registered */
function newClient(given: NewClient): ClientSummary {
  // In the order of creation, as lists show them.
  const clientId = `client_${Date.now().toString(16).padStart(12, "0")}${randomBytes(6).toString("hex")}`;
  const { publisher = null, website = null, privacyPolicy = null, contact = null } = requireIdentity(given);
  return {
    clientId,
    name: displayName(given.name, "client"),
    redirectUris: requireRedirectUris(given.redirectUris),
    scope: requireScope(given.scope),
    grantTypes: requireGrantTypes(given.grantTypes ?? GRANT_TYPES),
    status: "active",
    publisher,
    website,
    privacyPolicy,
    contact,
    logoPath: given.logo ? logoPath(clientId, given.logo) : null,
  };
}
