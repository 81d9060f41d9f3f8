import { type Actor, recordAudit } from "@partner-connect/audit";
import { type Sql, transaction } from "@partner-connect/database";
import { queueMail } from "@partner-connect/mail";
import { hashCredential, newCredential } from "../credential.ts";
import { DirectoryError } from "../directory-error.ts";
import { normalizeEmail } from "../merchants/email.ts";
import { type Group, groupOf, groupTerms, memberAction, requireGroup } from "./group.ts";
import { INVITATION_DAYS } from "./invitation.ts";
import { requireOwner } from "./member.ts";
import { type Role, requireRole } from "./role.ts";

/** Invitations of one shop that may wait at a time. */
const MAX_PENDING = 50;

export type NewInvitation = Group & {
  readonly email: string;
  readonly role: string;
  /** The owner who invites, by id; none: an operator does. */
  readonly byOwner?: string;
  /** We send a link, so that of the result is nobody's. Default: false. */
  readonly byMail?: boolean;
};

export interface MadeInvitation {
  /** Part of the link. Returned here and never again: only its hash is stored. */
  readonly token: string;
  readonly email: string;
  readonly role: Role;
  readonly expiresAt: Date;
}

/**
 * Makes an invitation that works once, for the merchant with this email alone. Whether there is an account with it makes no
 * difference here. A former invitation of the same address to the same ends. Indexes: memberships_by_shop,
 * merchant_links_by_shop.
 * @throws {DirectoryError} UNKNOWN_SHOP, INVALID_EMAIL, INVALID_ROLE, NOT_AN_OWNER, ALREADY_MEMBER, TOO_MANY_INVITATIONS
 */
export async function inviteMember(sql: Sql, invitation: NewInvitation, actor: Actor): Promise<MadeInvitation> {
  const { shopId, byOwner } = invitation;
  const group = groupOf(invitation);
  const email = normalizeEmail(invitation.email);
  const role = requireRole(invitation.role);
  const token = newCredential("pci");
  return await transaction(sql, async (tx) => {
    const { members, column, id, purpose, noun } = groupTerms(tx, group);
    if (byOwner === undefined) await requireGroup(tx, group);
    else await requireOwner(tx, group, byOwner);
    const known = await tx`
      SELECT FROM ${members} m JOIN directory.merchants p ON p.id = m.merchant_id
      WHERE m.${column} = ${id} AND lower(p.email) = ${email}`;
    if (known.length > 0) throw new DirectoryError("ALREADY_MEMBER", `${email} is a member of this ${noun} already`);
    await tx`
      UPDATE directory.merchant_links SET used_at = now()
      WHERE ${column} = ${id} AND email = ${email} AND purpose = ${purpose} AND used_at IS NULL`;
    const waiting = await tx`
      SELECT FROM directory.merchant_links
      WHERE ${column} = ${id} AND purpose = ${purpose} AND used_at IS NULL AND expires_at > now() AND NOT mailed`;
    if (waiting.length >= MAX_PENDING) {
      throw new DirectoryError(
        "TOO_MANY_INVITATIONS",
        `${MAX_PENDING} invitations of this ${noun} wait already; withdraw one first`,
      );
    }
    const [made] = await tx<{ expiresAt: Date }[]>`
      INSERT INTO directory.merchant_links (token_hash, purpose, email, shop_id, role, created_by, expires_at)
      VALUES (${hashCredential(token)}, ${purpose}, ${email}, ${shopId}, ${role},
              ${byOwner === undefined ? actor.name : `merchant:${byOwner}`},
              now() + make_interval(days => ${INVITATION_DAYS}))
      RETURNING expires_at AS "expiresAt"`;
    await recordAudit(tx, { action: memberAction("invite"), ...group, detail: { email, role } }, actor);
    if (invitation.byMail) {
      const about = { invitation: hashCredential(token).toString("hex") };
      await queueMail(tx, { kind: "invitation", shopId: id, about });
    }
    return { token, email, role, expiresAt: made?.expiresAt ?? new Date() };
  });
}

/**
 * Ends an invitation that waits. False if there is none with this id: it was accepted, withdrawn or has expired meanwhile.
 * @throws {DirectoryError} NOT_AN_OWNER
 */
export async function withdrawInvitation(
  sql: Sql,
  invitation: Group & { readonly id: string; readonly byOwner: string },
  actor: Actor,
): Promise<boolean> {
  const { id, byOwner } = invitation;
  const group = groupOf(invitation);
  const hash = /^[0-9a-f]{64}$/.test(id) ? Buffer.from(id, "hex") : Buffer.alloc(0);
  return await transaction(sql, async (tx) => {
    await requireOwner(tx, group, byOwner);
    const { column, id: groupId, purpose } = groupTerms(tx, group);
    const [ended] = await tx<{ email: string; role: Role }[]>`
      UPDATE directory.merchant_links SET used_at = now()
      WHERE token_hash = ${hash} AND ${column} = ${groupId} AND purpose = ${purpose} AND used_at IS NULL AND expires_at > now()
      RETURNING email, role`;
    if (ended) await recordAudit(tx, { action: memberAction("uninvite"), ...group, detail: ended }, actor);
    return ended !== undefined;
  });
}
