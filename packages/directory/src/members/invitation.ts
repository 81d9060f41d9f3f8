import type { Sql } from "@partner-connect/database";
import { hashCredential } from "../credential.ts";
import type { Role } from "./member.ts";

/** How long an invitation waits to be accepted. */
export const INVITATION_DAYS = 7;

/** Whom an owner has invited to a shop, and who has not answered yet. */
export interface PendingInvitation {
  /** The hash of its token: it opens nothing. */
  readonly id: string;
  readonly email: string;
  readonly role: Role;
  readonly expiresAt: Date;
}

/** What the holder of a link is told. */
export interface Invitation {
  readonly shop: { readonly id: string; readonly name: string; readonly domain: string | null };
  readonly email: string;
  readonly role: Role;
  /** Null: an account that is gone, or an operator. */
  readonly inviter: string | null;
}

/** What waits to be accepted, oldest first. Index: merchant_links_by_shop. */
export async function pendingInvitations(sql: Sql, shopId: string): Promise<PendingInvitation[]> {
  return await sql<PendingInvitation[]>`
    SELECT encode(token_hash, 'hex') AS id, email, role, expires_at AS "expiresAt"
    FROM directory.merchant_links
    WHERE shop_id = ${shopId} AND purpose = 'invitation' AND used_at IS NULL AND expires_at > now()
    ORDER BY created_at, token_hash`;
}

/** The invitation of a link; null if it was used, withdrawn or replaced, has expired, or never was. Index: merchant_links_pkey. */
export async function findInvitation(sql: Sql, token: string): Promise<Invitation | null> {
  const [invitation] = await sql<Invitation[]>`
    SELECT json_build_object('id', s.id, 'name', s.name, 'domain', s.domain) AS shop, l.email, l.role, p.name AS inviter
    FROM directory.merchant_links l JOIN directory.shops s ON s.id = l.shop_id
      LEFT JOIN directory.merchants p ON p.id = substr(l.created_by, length('merchant:') + 1)
    WHERE l.token_hash = ${hashCredential(token)} AND l.purpose = 'invitation' AND l.used_at IS NULL AND l.expires_at > now()`;
  return invitation ?? null;
}
