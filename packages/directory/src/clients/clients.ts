import { hash } from "node:crypto";
import { type Actor, recordAudit } from "@partner-connect/audit";
import type { Scope } from "@partner-connect/contract";
import {
  type ListPage,
  listPageSql,
  type Queries,
  type Sql,
  transaction,
} from "@partner-connect/database";
import { DirectoryError, unknownIdError } from "../directory-error.ts";
import { removeInvisible } from "../display-name.ts";

export const GRANT_TYPES = ["authorization_code", "refresh_token"] as const;
export type GrantType = (typeof GRANT_TYPES)[number];

/** Software that a partner registered. */
export interface Client {
  readonly clientId: string;
  /** Shown to merchants on the consent page. */
  readonly name: string;
  readonly redirectUris: readonly string[];
  /** The scopes that the client may request. */
  readonly scope: readonly Scope[];
  readonly grantTypes: readonly GrantType[];
  readonly status: "active" | "disabled";
  /** The company behind the client. Null, here and below, means that the operator gave none. */
  readonly publisher: string | null;
  /** An https URL, because merchants may open it. */
  readonly website: string | null;
  /** An https URL, because merchants may open it. */
  readonly privacyPolicy: string | null;
  /** The email address where merchants can ask the company to delete what the client has read. */
  readonly contact: string | null;
  /** Where the authorization server serves the logo: a path on the host of the merchant pages. */
  readonly logoPath: string | null;
  readonly secrets: readonly StoredClientSecret[];
}

/**
 * The stored part of a client's secret. The secret itself is shown only once, when it is created or
 * rotated.
 */
export interface StoredClientSecret {
  /** SHA-256 of the secret. */
  readonly hash: Buffer;
  /** Null if the secret is valid until it is rotated. */
  readonly expiresAt: Date | null;
  /** Start of the hour of the last use; null if there is none. */
  readonly lastUsedAt: Date | null;
}

export type ClientSummary = Omit<Client, "secrets">;

/** SQL for the columns of a {@link ClientSummary} from directory.clients as `c`. */
export function clientColumns(sql: Queries) {
  return sql`
    c.client_id AS "clientId", c.name, c.redirect_uris AS "redirectUris", c.scope,
    c.grant_types AS "grantTypes", c.status, c.publisher, c.website, c.privacy_policy AS "privacyPolicy", c.contact,
    ${LOGOS_PATH}::text || c.client_id || '/' || c.logo_digest || '.webp' AS "logoPath"`;
}

/** Prefix of the logos' paths, which anybody may fetch. */
export const LOGOS_PATH = "/oauth/logos/";

/** The path of a logo. It changes with the image, so browsers may cache it without a limit. */
export function logoPath(clientId: string, image: Buffer): string {
  return `${LOGOS_PATH}${clientId}/${digestOf(image)}.webp`;
}

const digestOf = (image: Buffer): string => hash("sha256", image, "base64url");

/** Sets the client's logo, a WebP image, or removes it. Index: clients_pkey. */
export async function storeLogo(sql: Queries, clientId: string, image: Buffer | null) {
  await sql`
    UPDATE directory.clients SET logo = ${image}, logo_digest = ${image && digestOf(image)} WHERE client_id = ${clientId}`;
}

/**
 * The client's logo and its digest, which is the file name in the URL. Null if there is no logo.
 * Index: clients_pkey.
 */
export async function findLogo(
  sql: Queries,
  clientId: string,
): Promise<{ readonly image: Buffer; readonly digest: string } | null> {
  const [found] = await sql<{ image: Buffer; digest: string }[]>`
    SELECT logo AS image, logo_digest AS digest FROM directory.clients WHERE client_id = ${clientId} AND logo IS NOT NULL`;
  return found ?? null;
}

/** Clients, oldest first, for operators. */
export async function listClients(
  sql: Sql,
  { status, ...page }: ListPage & { readonly status?: Client["status"] | undefined } = {},
): Promise<ClientSummary[]> {
  return await sql<ClientSummary[]>`
    SELECT ${clientColumns(sql)} FROM directory.clients c WHERE ${status === undefined ? sql`true` : sql`c.status = ${status}`}
    ${listPageSql(sql, page, "c.client_id", ["c.name", "c.publisher"])}`;
}

/**
 * Disables or enables a client. The API refuses a disabled client's access tokens from the next
 * request on. The authorization server caches clients for half a second, and then refuses the
 * client everywhere. Index: clients_pkey.
 * @throws {DirectoryError} UNKNOWN_CLIENT, CLIENT_NAME_TAKEN
 */
export async function setClientStatus(
  sql: Sql,
  clientId: string,
  status: Client["status"],
  actor: Actor,
  allowDuplicateName = false,
): Promise<ClientSummary> {
  return await transaction(sql, async (tx) => {
    await lockClientNames(tx);
    const client = await lockClient(tx, clientId);
    if (client.status === status) return client;
    if (status === "active" && !allowDuplicateName)
      await requireFreeName(tx, client.name, clientId);
    await tx`UPDATE directory.clients SET status = ${status} WHERE client_id = ${clientId}`;
    // Clear earlier failures, because a disabled client's time without webhooks is no failure.
    await tx`
      UPDATE oauth.webhooks SET failures = 0, failing_since = NULL, next_attempt_at = now()
      WHERE client_id = ${clientId} AND status = 'active'`;
    if (status === "active")
      await tx`SELECT oauth.add_webhook_jobs(ARRAY[${clientId}]::text[], NULL)`;
    const action = status === "active" ? "client_enable" : "client_disable";
    await recordAudit(tx, { action, clientId }, actor);
    return { ...client, status };
  });
}

/**
 * Locks the client's row until the transaction ends, and returns it. Approvals of the client do
 * not wait for this lock. Index: clients_pkey. @throws {DirectoryError} UNKNOWN_CLIENT
 */
export async function lockClient(sql: Queries, clientId: string): Promise<ClientSummary> {
  const [client] = await sql<ClientSummary[]>`
    SELECT ${clientColumns(sql)} FROM directory.clients c WHERE c.client_id = ${clientId} FOR NO KEY UPDATE OF c`;
  if (!client) throw unknownIdError("client", clientId);
  return client;
}

/**
 * The client with its secrets, including expired ones; null if there is none. Indexes: clients_pkey,
 * client_secrets_pkey.
 */
export async function findClient(sql: Queries, clientId: string): Promise<Client | null> {
  const [row] = await sql<(ClientSummary & { secrets: string[] })[]>`
    SELECT ${clientColumns(sql)},
      array(SELECT concat_ws(' ', encode(s.secret_hash, 'hex'), coalesce(extract(epoch FROM s.expires_at)::text, '-'),
              coalesce(extract(epoch FROM s.last_used_at)::text, '-'))
            FROM directory.client_secrets s WHERE s.client_id = c.client_id) AS secrets
    FROM directory.clients c WHERE c.client_id = ${clientId}`;
  if (!row) return null;
  const secrets = row.secrets.map((secret) => {
    const [hash = "", expiresAt = "-", lastUsedAt = "-"] = secret.split(" ");
    return {
      hash: Buffer.from(hash, "hex"),
      expiresAt: timeOf(expiresAt),
      lastUsedAt: timeOf(lastUsedAt),
    };
  });
  return { ...row, secrets };
}

function timeOf(seconds: string): Date | null {
  return seconds === "-" ? null : new Date(Number(seconds) * 1000);
}

/** A client as operators see it. */
export interface ClientDetails {
  readonly client: ClientSummary;
  readonly createdAt: Date;
  /** The valid secrets, newest first. The secrets themselves are not stored. */
  readonly secrets: readonly (Omit<StoredClientSecret, "hash"> & {
    readonly createdAt: Date;
    readonly lastFour: string | null;
  })[];
}

/** Indexes: clients_pkey, client_secrets_pkey. @throws {DirectoryError} UNKNOWN_CLIENT */
export async function clientDetails(sql: Queries, clientId: string): Promise<ClientDetails> {
  const [row] = await sql<(ClientSummary & { createdAt: Date })[]>`
    SELECT ${clientColumns(sql)}, c.created_at AS "createdAt" FROM directory.clients c WHERE c.client_id = ${clientId}`;
  if (!row) throw unknownIdError("client", clientId);
  const { createdAt, ...client } = row;
  const secrets = await sql<ClientDetails["secrets"][number][]>`
    SELECT created_at AS "createdAt", expires_at AS "expiresAt", last_used_at AS "lastUsedAt", last_four AS "lastFour" FROM directory.client_secrets
    WHERE client_id = ${clientId} AND (expires_at IS NULL OR expires_at > now())
    ORDER BY created_at DESC, expires_at DESC NULLS FIRST`;
  return { client, createdAt, secrets };
}

/**
 * The form in which names are compared: without case, width, kinds of spaces and invisible
 * characters. Look-alike letters of other scripts stay different.
 */
function comparisonKey(name: string): string {
  const compatible = removeInvisible(name)
    .replace(/\p{Default_Ignorable_Code_Point}/gu, "")
    .normalize("NFKC");
  // Upper case first, because it turns ß into SS and ſ into S, so these spellings become equal.
  return compatible.toUpperCase().toLowerCase().normalize("NFKC").replace(/\s+/gu, " ").trim();
}

/**
 * Locks all clients' names until the transaction ends: no other transaction can name or enable a
 * client. Take this lock before any row lock. Reads and approvals don't wait for it.
 */
export async function lockClientNames(sql: Queries): Promise<void> {
  await sql`LOCK TABLE directory.clients IN SHARE ROW EXCLUSIVE MODE`;
}

/**
 * Refuses a name that merchants could not tell from that of another active client. Call it after
 * {@link lockClientNames}. Only for operators, because it reads all active clients.
 * @throws {DirectoryError} CLIENT_NAME_TAKEN
 */
export async function requireFreeName(sql: Queries, name: string, clientId: string): Promise<void> {
  const others = await sql<{ id: string; name: string }[]>`
    SELECT client_id AS id, name FROM directory.clients WHERE status = 'active' AND client_id <> ${clientId}`;
  const taken = others.find((other) => comparisonKey(other.name) === comparisonKey(name));
  if (!taken) return;
  const other = `${JSON.stringify(removeInvisible(taken.name))} (${taken.id})`;
  const problem = `merchants could not tell it from the active client ${other}`;
  throw new DirectoryError("CLIENT_NAME_TAKEN", problem);
}
