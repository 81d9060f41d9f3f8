import { hash } from "node:crypto";
import type { Queries, Sql } from "@partner-connect/database";

/** A client's logo, a WebP image. */
export interface ClientLogo {
  readonly image: Buffer;
  /** The image's digest, used as its name in URLs. */
  readonly digest: string;
}

/** The client's logo, or null. Index: clients_pkey. */
export async function findLogo(sql: Sql, clientId: string): Promise<ClientLogo | null> {
  const [found] = await sql<ClientLogo[]>`
    SELECT logo AS image, logo_digest AS digest FROM directory.clients WHERE client_id = ${clientId} AND logo IS NOT NULL`;
  return found ?? null;
}

/** Gives the client this WebP image, or takes its logo away. Index: clients_pkey. */
export async function storeLogo(sql: Queries, clientId: string, image: Buffer | null): Promise<void> {
  await sql`
    UPDATE directory.clients SET logo = ${image}, logo_digest = ${image && logoDigest(image)} WHERE client_id = ${clientId}`;
}

export function logoDigest(image: Buffer): string {
  return hash("sha256", image, "base64url");
}

/** Below it the authorization server serves logos, to every browser that asks. */
export const LOGOS_PATH = "/oauth/logos/";

/** The path changes with the image, so that browsers may keep what they got without a limit. */
export function logoPath(clientId: string, digest: string): string {
  return `${LOGOS_PATH}${clientId}/${digest}.webp`;
}
