import type { Merchant } from "@partner-connect/directory";
import type { FastifyReply, FastifyRequest } from "fastify";
import { sendMerchantPage } from "../../merchant-page/frame/send-merchant-page.ts";
import type { MembersContext } from "../members-context.ts";
import { type InvitationView, invitationView } from "./invitation.view.ts";
import { invitationPath, type OpenInvitation } from "./invitation-step.ts";

/** What the page says and is filled with, beyond the invitation. */
export type InvitationMessage = Pick<InvitationView, "problem" | "passwordProblem" | "name">;

export function showInvitationPage(
  context: MembersContext,
  request: FastifyRequest,
  reply: FastifyReply,
  open: OpenInvitation,
  merchant: Merchant | null,
  message: InvitationMessage = {},
  status = 200,
): FastifyReply {
  // One token for all forms of the page: each of them acts on this invitation.
  const token = context.formTokens.issue(request, reply, invitationPath(open));
  const view = {
    open,
    token,
    reader: merchant && {
      isInvited: merchant.email.toLowerCase() === open.invitation.email,
      account: { merchant, signOutPath: invitationPath(open, "/sign-out"), token, purpose: "use_another" as const },
    },
    ...message,
  };
  return sendMerchantPage(reply, (locale) => invitationView(view, locale), { status, hasSecretUrl: true });
}
