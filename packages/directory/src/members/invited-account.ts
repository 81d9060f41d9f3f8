import { recordAudit } from "@partner-connect/audit";
import { type Sql, transaction } from "@partner-connect/database";
import { newCredential } from "../credential.ts";
import { displayName } from "../display-name.ts";
import { canonicalEmail } from "../merchants/email.ts";
import { hashPassword } from "../passwords/password.ts";
import { requirePassword } from "../passwords/password-rule.ts";
import type { ActorOrigin } from "./accept-invitation.ts";
import { findInvitation, invitationEnded } from "./invitation.ts";

/** How the person will sign in: by a password, or as somebody elsewhere, where this address was verified. */
type InvitedAccount = { readonly name: string } & ({ readonly password: string } | { readonly verifiedEmail: string });

/**
 * Makes an account for the invited address, unless there is one. Where the address was verified elsewhere, it has a password
 * that nobody knows. The
 * invitation stays open, to be accepted by who signs in. Nothing tells the caller's caller which of the two happened: both take the same
 * time, and a former password stays as it is. Indexes: merchant_links_pkey, merchants_by_email.
 * @returns the id of the account, if it was made
 * @throws {DirectoryError} INVITATION_ENDED, also for another address than the verified one; INVALID_NAME, INVALID_PASSWORD
 */
export async function makeInvitedAccount(
  sql: Sql,
  token: string,
  account: InvitedAccount,
  from: ActorOrigin,
): Promise<string | null> {
  const name = displayName(account.name, "merchant");
  const asked = await findInvitation(sql, token);
  if (!asked) throw invitationEnded();
  const isVerified = "verifiedEmail" in account;
  if (isVerified && asked.email !== canonicalEmail(account.verifiedEmail)) throw invitationEnded();
  if (!isVerified) await requirePassword(account.password, { email: asked.email, name, shops: [asked.to] }, "person");
  const passwordHash = await hashPassword(isVerified ? newCredential("none") : account.password);
  return await transaction(sql, async (tx) => {
    const invitation = await findInvitation(tx, token);
    if (!invitation) throw invitationEnded();
    const { email, inviterId, to } = invitation;
    const [made] = await tx<{ id: string }[]>`
      INSERT INTO directory.merchants (email, name, password_hash)
      VALUES (${email}, ${name}, ${passwordHash})
      ON CONFLICT (lower(email)) DO NOTHING RETURNING id`;
    if (!made) return null;
    const detail = { email, invited_by: inviterId, invited_to: to.id };
    const event = { action: "merchant_create", merchantId: made.id, detail } as const;
    await recordAudit(tx, event, { ...from, name: `merchant:${made.id}` });
    return made.id;
  });
}
