import type { Merchant } from "@partner-connect/directory";
import { type Html, html } from "@partner-connect/service-runtime/html";
import type { FastifyReply } from "fastify";
import { newPasswordFields, type PasswordFieldProblem } from "../../merchant-page/forms/password-field.view.ts";
import { cardPage, notice } from "../../merchant-page/frame/layout.ts";
import { named, plainName } from "../../merchant-page/frame/name.ts";
import { sendMerchantPage } from "../../merchant-page/frame/send-merchant-page.ts";
import type { OpenIdChoice } from "../../merchant-page/merchant-sign-in.ts";
import type { PageContext } from "../../merchant-page/page-context.ts";
import type { Locale } from "../../merchant-page/texts/locale.ts";
import { invitationPath, type OpenInvitation } from "./invitation-step.ts";

const NEW_ACCOUNT_FORM = "new-account";

/** Characters that the field takes. */
export const MAX_NAME = 100;

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
  const openId = merchant ? null : context.signIn.openId(reply, { path: invitationPath(open), app: null });
  const view = { open, token, isInvited, openId, ...message };
  return sendMerchantPage(reply, (locale) => invitationView(view, locale), { status, hasSecretUrl: true, account });
}

interface InvitationView extends NewAccountView {
  readonly isInvited: boolean | null;
  /** For an account that is made when she comes back from there. */
  readonly openId: OpenIdChoice | null;
}

/**
 * What the holder of a link sees: to accept, if she is signed in as whom it is for; else the ways to get there. Whether there is an account
 * with the address is not told: the link was in other hands before.
 */
function invitationView(view: InvitationView, locale: Locale): Html {
  const texts = locale.texts.invitation;
  const { open, isInvited, openId, problem } = view;
  const { to, inviter, role } = open.invitation;
  const leads = texts.lead;
  const hasForm = isInvited === null && !openId?.only;
  return cardPage(
    locale,
    {
      title: texts.title(plainName(to.name)),
      heading: texts.heading(named(inviter ?? locale.frame.productName), named(to.name)),
      ...(hasForm && { shownAgainBy: { form: NEW_ACCOUNT_FORM, path: invitationPath(open, "/look") } }),
    },
    html`<p class="lead">${leads[role](named(to.name))}</p>
${notice("problem", problem && html`<span id="problem">${problem === "name" ? texts.wrongName : locale.texts.frame.outOfDate}</span>`, problem !== "name")}
${isInvited === null ? waysIn(view, locale) : isInvited ? acceptance(view, locale) : forAnother(view, locale)}`,
  );
}

function acceptance({ open, token }: InvitationView, { texts }: Locale): Html {
  return html`<form method="post" action="${invitationPath(open)}">
<input type="hidden" name="token" value="${token}">
<div class="actions"><button class="primary">${texts.invitation.accept}</button></div>
</form>`;
}

function forAnother({ open }: InvitationView, { texts }: Locale): Html {
  return html`<p class="lead">${texts.invitation.forAnother(html`<strong>${named(open.invitation.email)}</strong>`)}</p>`;
}

function waysIn(view: InvitationView, locale: Locale): Html {
  const { invitation: texts, signIn } = locale.texts;
  const { openId } = view;
  const elsewhere =
    openId &&
    html`<div class="actions"><a class="button primary" href="${openId.path}"><span>${signIn.openId.button(named(openId.name))}</span></a></div>`;
  if (openId?.only) return html`${elsewhere}`;
  return html`${elsewhere}
<h2 class="next">${texts.haveAccount}</h2>
<div class="actions"><a class="button" href="${invitationPath(view.open, "/sign-in")}">${signIn.title}</a></div>
<h2 class="next">${texts.newHere}</h2>
${newAccountView(view, locale)}`;
}

interface NewAccountView {
  readonly open: OpenInvitation;
  readonly token: string;
  readonly problem?: "name" | "out_of_date";
  readonly passwordProblem?: PasswordFieldProblem;
  readonly name?: string;
}

/** The form by which the holder of a link gets an account. Its email is the invitation's, for password managers to keep. */
function newAccountView(view: NewAccountView, { texts }: Locale): Html {
  const { open, token, problem, passwordProblem = null, name = "" } = view;
  const invalid = problem === "name" && html` aria-invalid="true" aria-describedby="problem" autofocus`;
  return html`<form method="post" action="${invitationPath(open, "/account")}" id="${NEW_ACCOUNT_FORM}">
<input type="hidden" name="token" value="${token}">
<label for="email">${texts.signIn.email}</label>
<input id="email" type="email" autocomplete="username" readonly value="${open.invitation.email}">
<label for="name">${texts.invitation.name}</label>
<input id="name" name="name" type="text" autocomplete="name" maxlength="${MAX_NAME}" required value="${name}"${invalid}>
${newPasswordFields(texts.password, passwordProblem, passwordProblem !== null)}
<div class="actions"><button class="primary">${texts.invitation.create}</button></div>
</form>`;
}
