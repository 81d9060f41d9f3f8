import { recordAudit } from "@partner-connect/audit";
import { type Sql, transaction } from "@partner-connect/database";
import { displayName } from "../display-name.ts";
import { hashPassword } from "../passwords/password.ts";
import { requirePassword } from "../passwords/password-rule.ts";
import type { ActorOrigin } from "./accept-invitation.ts";
import { findInvitation, invitationEnded } from "./invitation.ts";

/**
 * Makes an account for the invited address, unless there is one. It is unconfirmed: the owner who invited had the link first. The
 * invitation stays open, to be accepted by who signs in. Nothing tells the caller's caller which of the two happened: both take the same
 * time, and a former password stays as it is. Indexes: merchant_links_pkey, merchants_by_email.
 * @returns the id of the account, if it was made
 * @throws {DirectoryError} INVITATION_ENDED, INVALID_NAME, INVALID_PASSWORD
 */
export async function makeInvitedAccount(
  sql: Sql,
  token: string,
  account: { readonly name: string; readonly password: string },
  from: ActorOrigin,
): Promise<string | null> {
  const name = displayName(account.name, "merchant");
  const asked = await findInvitation(sql, token);
  if (!asked) throw invitationEnded();
  await requirePassword(account.password, { email: asked.email, name, shops: [asked.shop] }, "person");
  const passwordHash = await hashPassword(account.password);
  return await transaction(sql, async (tx) => {
    const invitation = await findInvitation(tx, token);
    if (!invitation) throw invitationEnded();
    const { email, inviterId, shop } = invitation;
    const [made] = await tx<{ id: string }[]>`
      INSERT INTO directory.merchants (email, name, password_hash, confirmed, invited_by, invited_to)
      VALUES (${email}, ${name}, ${passwordHash}, false, ${inviterId}, ${shop.id})
      ON CONFLICT (lower(email)) DO NOTHING RETURNING id`;
    if (!made) return null;
    const detail = { email, invited_by: inviterId, invited_to: shop.id };
    const event = { action: "merchant_create", merchantId: made.id, detail } as const;
    await recordAudit(tx, event, { ...from, name: `merchant:${made.id}` });
    return made.id;
  });
}
