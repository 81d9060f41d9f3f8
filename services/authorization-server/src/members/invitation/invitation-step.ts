import { findInvitation, type Invitation } from "@partner-connect/directory";
import { type Html, html } from "@partner-connect/service-runtime/html";
import type { FastifyReply, FastifyRequest } from "fastify";
import { cardPage } from "../../merchant-page/frame/layout.ts";
import { sendMerchantPage } from "../../merchant-page/frame/send-merchant-page.ts";
import { beforeDeadline, type PageContext } from "../../merchant-page/page-context.ts";
import { INVITATION_PATH, SIGN_IN_PATH } from "../../merchant-page/paths.ts";
import type { Locale } from "../../merchant-page/texts/locale.ts";

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

export function invitationPath(
  { token }: OpenInvitation,
  page: "" | "/sign-in" | "/sign-out" | "/account" | "/look" = "",
): string {
  return `${INVITATION_PATH}${page}?link=${token}`;
}

function endedInvitationView(locale: Locale): Html {
  const { invitation, signIn } = locale.texts;
  return cardPage(
    locale,
    { title: invitation.ended.title },
    html`<p class="lead">${invitation.ended.lead}</p>
<p class="lead">${invitation.ended.next}</p>
<div class="actions"><a class="button primary" href="${SIGN_IN_PATH}">${signIn.title}</a></div>`,
  );
}
