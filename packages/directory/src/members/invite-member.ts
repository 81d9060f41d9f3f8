import { type Actor, recordAudit } from "@partner-connect/audit";
import { type Sql, transaction } from "@partner-connect/database";
import { hashCredential, newCredential } from "../credential.ts";
import { DirectoryError } from "../directory-error.ts";
import { normalizeEmail } from "../merchants/email.ts";
import { INVITATION_DAYS } from "./invitation.ts";
import { requireOwner } from "./member.ts";
import { type Role, requireRole } from "./role.ts";

/** Invitations of one shop that may wait at a time. */
const MAX_PENDING = 50;

export interface NewInvitation {
  readonly shopId: string;
  readonly email: string;
  readonly role: string;
  /** The owner who invites, by id. */
  readonly byOwner: string;
}

export interface MadeInvitation {
  /** Part of the link. Returned here and never again: only its hash is stored. */
  readonly token: string;
  readonly email: string;
  readonly role: Role;
  readonly expiresAt: Date;
}

/**
 * Makes an invitation that works once, for the merchant with this email alone. Whether there is an account with it makes no
 * difference here. A former invitation of the same address to the shop ends. Indexes: memberships_by_shop, merchant_links_by_shop.
 * @throws {DirectoryError} INVALID_EMAIL, INVALID_ROLE, NOT_AN_OWNER, ALREADY_MEMBER, TOO_MANY_INVITATIONS
 */
export async function inviteMember(sql: Sql, invitation: NewInvitation, actor: Actor): Promise<MadeInvitation> {
  const { shopId, byOwner } = invitation;
  const email = normalizeEmail(invitation.email);
  const role = requireRole(invitation.role);
  const token = newCredential("pci");
  return await transaction(sql, async (tx) => {
    await requireOwner(tx, shopId, byOwner);
    const members = await tx`
      SELECT FROM directory.memberships m JOIN directory.merchants p ON p.id = m.merchant_id
      WHERE m.shop_id = ${shopId} AND lower(p.email) = ${email}`;
    if (members.length > 0) throw new DirectoryError("ALREADY_MEMBER", `${email} is a member of this shop already`);
    await tx`
      UPDATE directory.merchant_links SET used_at = now()
      WHERE shop_id = ${shopId} AND email = ${email} AND purpose = 'invitation' AND used_at IS NULL`;
    const waiting = await tx`
      SELECT FROM directory.merchant_links
      WHERE shop_id = ${shopId} AND purpose = 'invitation' AND used_at IS NULL AND expires_at > now()`;
    if (waiting.length >= MAX_PENDING) {
      throw new DirectoryError(
        "TOO_MANY_INVITATIONS",
        `${MAX_PENDING} invitations of this shop wait already; withdraw one first`,
      );
    }
    const [made] = await tx<{ expiresAt: Date }[]>`
      INSERT INTO directory.merchant_links (token_hash, purpose, email, shop_id, role, created_by, expires_at)
      VALUES (${hashCredential(token)}, 'invitation', ${email}, ${shopId}, ${role}, ${`merchant:${byOwner}`},
              now() + make_interval(days => ${INVITATION_DAYS}))
      RETURNING expires_at AS "expiresAt"`;
    await recordAudit(tx, { action: "member_invite", shopId, detail: { email, role } }, actor);
    return { token, email, role, expiresAt: made?.expiresAt ?? new Date() };
  });
}

/**
 * Ends an invitation that waits. False if there is none with this id: it was accepted, withdrawn or has expired meanwhile.
 * @throws {DirectoryError} NOT_AN_OWNER
 */
export async function withdrawInvitation(
  sql: Sql,
  invitation: { readonly shopId: string; readonly id: string; readonly byOwner: string },
  actor: Actor,
): Promise<boolean> {
  const { shopId, id, byOwner } = invitation;
  const hash = /^[0-9a-f]{64}$/.test(id) ? Buffer.from(id, "hex") : Buffer.alloc(0);
  return await transaction(sql, async (tx) => {
    await requireOwner(tx, shopId, byOwner);
    const [ended] = await tx<{ email: string; role: Role }[]>`
      UPDATE directory.merchant_links SET used_at = now()
      WHERE token_hash = ${hash} AND shop_id = ${shopId} AND purpose = 'invitation' AND used_at IS NULL AND expires_at > now()
      RETURNING email, role`;
    if (ended) await recordAudit(tx, { action: "member_uninvite", shopId, detail: ended }, actor);
    return ended !== undefined;
  });
}
