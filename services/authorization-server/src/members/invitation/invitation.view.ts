import { type Html, html } from "@partner-connect/service-runtime/html";
import { cardPage, notice } from "../../merchant-page/frame/layout.ts";
import { named, plainName } from "../../merchant-page/frame/name.ts";
import type { Locale } from "../../merchant-page/texts/locale.ts";
import { invitationPath } from "./invitation-step.ts";
import { type NewAccountView, newAccountView } from "./new-account.view.ts";

export interface InvitationView extends NewAccountView {
  /** Whether the invitation is for the merchant who is signed in to this browser; null if nobody is. */
  readonly isInvited: boolean | null;
}

/**
 * What the holder of a link sees: to accept, if she is signed in as whom it is for; else the ways to get there. Whether there is an
 * account with the address is not told: the link was in other hands before.
 */
export function invitationView(view: InvitationView, locale: Locale): Html {
  const texts = locale.texts.invitation;
  const { open, isInvited, problem } = view;
  const { shop, inviter, role } = open.invitation;
  return cardPage(
    locale,
    { title: texts.title(plainName(shop.name)), heading: texts.heading(named(inviter), named(shop.name)) },
    html`<p class="lead">${texts.lead[role](named(shop.name))}</p>
${notice("problem", problem && html`<span id="problem">${texts.problem[problem]}</span>`)}
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
  return html`<h2 class="next">${texts.haveAccount}</h2>
<div class="actions"><a class="button" href="${invitationPath(view.open, "/sign-in")}">${signIn.title}</a></div>
<h2 class="next">${texts.newHere}</h2>
${newAccountView(view, locale)}`;
}
