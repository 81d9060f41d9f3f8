import type { Merchant } from "@partner-connect/directory";
import type { FastifyReply } from "fastify";
import { sendMerchantPage } from "../../merchant-page/frame/send-merchant-page.ts";
import type { PageContext } from "../../merchant-page/page-context.ts";
import { type InvitationView, invitationView } from "./invitation.view.ts";
import { invitationPath, type OpenInvitation } from "./invitation-step.ts";

/** What the page says and is filled with, beyond the invitation. */
export type InvitationMessage = Pick<InvitationView, "problem" | "passwordProblem" | "name">;

export function showInvitationPage(
  context: PageContext,
  reply: FastifyReply,
  open: OpenInvitation,
  merchant: Merchant | null,
  message: InvitationMessage = {},
  status = 200,
): FastifyReply {
  // One token for all forms of the page: each of them acts on this invitation.
  const token = context.formTokens.issue(reply, invitationPath(open));
  const signOutPath = invitationPath(open, "/sign-out");
  const account = merchant && { merchant, signOutPath, token, purpose: "use_another" as const };
  const isInvited = merchant && merchant.email.toLowerCase() === open.invitation.email;
  const view = { open, token, isInvited, ...message };
  return sendMerchantPage(reply, (locale) => invitationView(view, locale), { status, hasSecretUrl: true, account });
}
