import { findInvitation, type Invitation } from "@partner-connect/directory";
import { type Html, html } from "@partner-connect/service-runtime/html";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { cardPage } from "../../merchant-page/frame/layout.ts";
import { sendMerchantPage } from "../../merchant-page/frame/send-merchant-page.ts";
import { beforeDeadline, type PageContext } from "../../merchant-page/page-context.ts";
import { INVITATION_PATH, SIGN_IN_PATH } from "../../merchant-page/paths.ts";
import { stepRoutes } from "../../merchant-page/step-routes.ts";
import type { Locale } from "../../merchant-page/texts/locale.ts";

export interface OpenInvitation {
  readonly token: string;
  readonly invitation: Invitation;
}

type InvitationRequest = FastifyRequest<{ Querystring: { link?: unknown; account?: unknown } }>;

/** Routes that begin with the invitation that their URL names. Looking at it uses nothing up, as mail programs open links by themselves. */
export function invitationSteps(app: FastifyInstance, { sql }: PageContext) {
  const open = async (request: InvitationRequest, reply: FastifyReply): Promise<OpenInvitation | null> => {
    const { link } = request.query;
    const token = typeof link === "string" && /^pci_[\w-]{43}$/.test(link) ? link : null;
    const invitation = token && (await beforeDeadline(findInvitation(sql, token)));
    if (invitation) return { token, invitation };
    invitationHasEnded(reply);
    return null;
  };
  return stepRoutes(app, open, INVITATION_PATH);
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
