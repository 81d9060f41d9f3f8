import { hash } from "node:crypto";
import type { Queries, Sql } from "@partner-connect/database";

/** A client's logo, as browsers get it. */
export interface ClientLogo {
  readonly image: Buffer;
  readonly mediaType: "image/png" | "image/webp";
  /** Of the image; its name in URLs. */
  readonly digest: string;
}

/** The client's logo, or null. Index: client_logos_pkey. */
export async function findLogo(sql: Sql, clientId: string): Promise<ClientLogo | null> {
  const [logo] = await sql<ClientLogo[]>`
    SELECT image, media_type AS "mediaType", digest FROM directory.client_logos WHERE client_id = ${clientId}`;
  return logo ?? null;
}

/** Gives the client this WebP image, or takes its logo away. Index: client_logos_pkey. */
export async function storeLogo(sql: Queries, clientId: string, image: Buffer | null): Promise<void> {
  if (image === null) {
    await sql`DELETE FROM directory.client_logos WHERE client_id = ${clientId}`;
    return;
  }
  await sql`
    INSERT INTO directory.client_logos (client_id, image, media_type, digest)
    VALUES (${clientId}, ${image}, 'image/webp', ${logoDigest(image)})
    ON CONFLICT (client_id) DO UPDATE
      SET image = excluded.image, media_type = excluded.media_type, digest = excluded.digest, updated_at = excluded.updated_at`;
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
