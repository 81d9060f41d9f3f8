import type { Queries, Sql } from "@partner-connect/database";
import { hashCredential } from "../credential.ts";
import { DirectoryError } from "../directory-error.ts";
import { type Group, groupTerms } from "./group.ts";
import type { Role } from "./role.ts";

/** How long an invitation waits to be accepted. */
export const INVITATION_DAYS = 7;

/** Who is invited to a shop, and who has not answered yet. */
export interface PendingInvitation {
  /** The hash of its token: it opens nothing. */
  readonly id: string;
  readonly email: string;
  readonly role: Role;
  readonly expiresAt: Date;
}

/** What the holder of a link is told. */
export interface Invitation {
  readonly to: {
    readonly id: string;
    readonly name: string;
    readonly domain: string | null;
  };
  readonly email: string;
  readonly role: Role;
  /** The name of the owner who invites; null: an operator does. */
  readonly inviter: string | null;
  readonly inviterId: string | null;
  /** Nobody had the link before it was in the mailbox. */
  readonly mailed: boolean;
}

/**
 * A condition on the link `l`: an invitation that can still be accepted. That of an owner ends with the ownership, and is of no use while
 * the owner's account is disabled. A mailed link ends with the invitation that it was sent for. Indexes: memberships_pkey,
 * merchants_pkey, merchant_links_pkey.
 */
export function isOpen(sql: Queries) {
  return sql`l.purpose = 'invitation' AND l.used_at IS NULL AND l.expires_at > now() AND (NOT l.mailed OR EXISTS (
    SELECT FROM directory.merchant_links i
    WHERE i.token_hash = decode(l.about ->> 'invitation', 'hex') AND i.used_at IS NULL AND i.expires_at > now())) AND (
    EXISTS (
    SELECT FROM directory.merchants maker
    WHERE maker.id = ${makerId(sql)} AND maker.status = 'active' AND EXISTS (
        SELECT FROM directory.memberships o WHERE o.merchant_id = maker.id AND o.shop_id = l.shop_id AND o.role = 'owner')))`;
}

/** The id of the merchant who made the link `l`; null: an operator did. */
function makerId(sql: Queries) {
  return sql`CASE WHEN l.created_by LIKE 'merchant:%' THEN substr(l.created_by, length('merchant:') + 1) END`;
}

/** What waits to be accepted, oldest first. Index: merchant_links_by_shop. */
export async function pendingInvitations(sql: Sql, group: Group): Promise<PendingInvitation[]> {
  const { column, id } = groupTerms(sql, group);
  return await sql<PendingInvitation[]>`
    SELECT encode(l.token_hash, 'hex') AS id, l.email, l.role, l.expires_at AS "expiresAt"
    FROM directory.merchant_links l WHERE l.${column} = ${id} AND NOT l.mailed AND ${isOpen(sql)}
    ORDER BY l.created_at, l.token_hash`;
}

/** The invitation of a link; null if it was used, withdrawn or replaced, has expired, or never was. Index: merchant_links_pkey. */
export async function findInvitation(sql: Queries, token: string): Promise<Invitation | null> {
  const [invitation] = await sql<Invitation[]>`
    SELECT json_build_object('id', s.id, 'name', s.name, 'domain', s.domain) AS "to",
      l.email, l.role, p.name AS inviter, p.id AS "inviterId", l.mailed
    FROM directory.merchant_links l JOIN directory.shops s ON s.id = l.shop_id
      LEFT JOIN directory.merchants p ON p.id = ${makerId(sql)}
    WHERE l.token_hash = ${hashCredential(token)} AND ${isOpen(sql)}`;
  return invitation ?? null;
}

export function invitationEnded(): DirectoryError {
  return new DirectoryError("INVITATION_ENDED", "the invitation was used or withdrawn, or has expired");
}
