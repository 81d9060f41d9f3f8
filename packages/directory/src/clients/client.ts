import { hash } from "node:crypto";
import type { Scope } from "@partner-connect/contract";
import type { Queries } from "@partner-connect/database";

export const GRANT_TYPES = ["authorization_code", "refresh_token"] as const;
export type GrantType = (typeof GRANT_TYPES)[number];

/** Software that a partner registered. */
export interface Client {
  readonly clientId: string;
  /** Shown to merchants on the consent page. */
  readonly name: string;
  readonly redirectUris: readonly string[];
  /** The scopes that it may request. */
  readonly scope: readonly Scope[];
  readonly grantTypes: readonly GrantType[];
  readonly status: "active" | "disabled";
  /** The company behind it, as merchants read it. Null, as below: the operator gave none. */
  readonly publisher: string | null;
  /** An https URL, because merchants may open it. */
  readonly website: string | null;
  /** An https URL, because merchants may open it. */
  readonly privacyPolicy: string | null;
  /** The email address that merchants ask to delete what it has read. */
  readonly contact: string | null;
  /** Where the authorization server serves its logo: a path on the host of the merchant pages. */
  readonly logoPath: string | null;
  readonly secrets: readonly ClientSecret[];
}

/** The stored part of a client's secret. The secret itself is shown only once, when it is created or rotated. */
export interface ClientSecret {
  /** SHA-256 of the secret. */
  readonly hash: Buffer;
  /** Null: until it is rotated. */
  readonly expiresAt: Date | null;
  /** The beginning of the hour in which it was last used. Null: not since that is kept. */
  readonly lastUsedAt: Date | null;
}

/** A client without its secrets. */
export type ClientSummary = Omit<Client, "secrets">;

/** The columns of a {@link ClientSummary}, of directory.clients as `c`. */
export function clientColumns(sql: Queries) {
  return sql`
    c.client_id AS "clientId", c.name, c.redirect_uris AS "redirectUris", c.scope,
    c.grant_types AS "grantTypes", c.status, c.publisher, c.website, c.privacy_policy AS "privacyPolicy", c.contact,
    ${LOGOS_PATH}::text || c.client_id || '/' || c.logo_digest || '.webp' AS "logoPath"`;
}

/** Below it the authorization server serves logos, to every browser that asks. */
export const LOGOS_PATH = "/oauth/logos/";

/** The path changes with the image, so that browsers may keep what they got without a limit. */
export function logoPath(clientId: string, image: Buffer): string {
  return `${LOGOS_PATH}${clientId}/${digestOf(image)}.webp`;
}

const digestOf = (image: Buffer): string => hash("sha256", image, "base64url");

/** Sets the client's logo, a WebP image, or removes it. Index: clients_pkey. */
export async function storeLogo(sql: Queries, clientId: string, image: Buffer | null): Promise<void> {
  await sql`
    UPDATE directory.clients SET logo = ${image}, logo_digest = ${image && digestOf(image)} WHERE client_id = ${clientId}`;
}

/** The client's logo, and its digest, the name in its URL; or null. Index: clients_pkey. */
export async function findLogo(
  sql: Queries,
  clientId: string,
): Promise<{ readonly image: Buffer; readonly digest: string } | null> {
  const [found] = await sql<{ image: Buffer; digest: string }[]>`
    SELECT logo AS image, logo_digest AS digest FROM directory.clients WHERE client_id = ${clientId} AND logo IS NOT NULL`;
  return found ?? null;
}
