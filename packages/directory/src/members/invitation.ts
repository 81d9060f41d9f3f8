import type { Queries, Sql } from "@partner-connect/database";
import { hashCredential } from "../credential.ts";
import { DirectoryError } from "../directory-error.ts";
import type { Role } from "./role.ts";

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
  /** The name of the owner who invites. */
  readonly inviter: string;
  readonly inviterId: string;
}

/**
 * A condition on the link `l`: an invitation that can still be accepted. It ends with its maker's ownership, and is of no use while
 * her account is disabled. Indexes: memberships_pkey, merchants_pkey.
 */
export function isOpen(sql: Queries) {
  return sql`l.purpose = 'invitation' AND l.used_at IS NULL AND l.expires_at > now() AND EXISTS (
    SELECT FROM directory.memberships o JOIN directory.merchants maker ON maker.id = o.merchant_id
    WHERE o.merchant_id = substr(l.created_by, length('merchant:') + 1) AND o.shop_id = l.shop_id
      AND o.role = 'owner' AND maker.status = 'active')`;
}

/** What waits to be accepted, oldest first. Index: merchant_links_by_shop. */
export async function pendingInvitations(sql: Sql, shopId: string): Promise<PendingInvitation[]> {
  return await sql<PendingInvitation[]>`
    SELECT encode(l.token_hash, 'hex') AS id, l.email, l.role, l.expires_at AS "expiresAt"
    FROM directory.merchant_links l WHERE l.shop_id = ${shopId} AND ${isOpen(sql)}
    ORDER BY l.created_at, l.token_hash`;
}

/** The invitation of a link; null if it was used, withdrawn or replaced, has expired, or never was. Index: merchant_links_pkey. */
export async function findInvitation(sql: Queries, token: string): Promise<Invitation | null> {
  const [invitation] = await sql<Invitation[]>`
    SELECT json_build_object('id', s.id, 'name', s.name, 'domain', s.domain) AS shop, l.email, l.role, p.name AS inviter,
      p.id AS "inviterId"
    FROM directory.merchant_links l JOIN directory.shops s ON s.id = l.shop_id
      JOIN directory.merchants p ON p.id = substr(l.created_by, length('merchant:') + 1)
    WHERE l.token_hash = ${hashCredential(token)} AND ${isOpen(sql)}`;
  return invitation ?? null;
}

export function invitationEnded(): DirectoryError {
  return new DirectoryError("INVITATION_ENDED", "the invitation was used or withdrawn, or has expired");
}
