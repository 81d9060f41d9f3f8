import { findInvitation, type Invitation } from "@partner-connect/directory";
import type { FastifyReply, FastifyRequest } from "fastify";
import { sendMerchantPage } from "../../merchant-page/frame/send-merchant-page.ts";
import type { PageContext } from "../../merchant-page/page-context.ts";
import { beforeDeadline } from "../../merchant-page/page-deadline.ts";
import { INVITATION_PATH } from "../members-paths.ts";
import { endedInvitationView } from "./ended-invitation.view.ts";

/** An invitation that its link has opened. */
export interface OpenInvitation {
  readonly token: string;
  readonly invitation: Invitation;
}

type InvitationRequest = FastifyRequest<{ Querystring: { link?: unknown; account?: unknown } }>;
type Step = (request: InvitationRequest, reply: FastifyReply, open: OpenInvitation) => Promise<FastifyReply>;

/** Runs `step` with the invitation that the URL names. Looking at it uses nothing up, as mail programs open links by themselves. */
export function invitationStep(context: PageContext, step: Step) {
  return async (request: InvitationRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const { link } = request.query;
    const token = typeof link === "string" && /^pci_[\w-]{43}$/.test(link) ? link : null;
    const invitation = token && (await beforeDeadline(findInvitation(context.sql, token)));
    return invitation ? await step(request, reply, { token, invitation }) : invitationHasEnded(reply);
  };
}

/** One page for an invitation that was accepted, withdrawn or replaced, has expired, or never was. */
export function invitationHasEnded(reply: FastifyReply): FastifyReply {
  return sendMerchantPage(reply, endedInvitationView, { status: 410, hasSecretUrl: true });
}

/** A path of the pages of this invitation. */
export function invitationPath(
  { token }: OpenInvitation,
  page: "" | "/sign-in" | "/sign-out" | "/account" = "",
): string {
  return `${INVITATION_PATH}${page}?link=${token}`;
}
