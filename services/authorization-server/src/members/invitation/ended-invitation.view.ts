import { type Html, html } from "@partner-connect/service-runtime/html";
import { cardPage } from "../../merchant-page/frame/layout.ts";
import { SIGN_IN_PATH } from "../../merchant-page/paths.ts";
import type { Locale } from "../../merchant-page/texts/locale.ts";

export function endedInvitationView(locale: Locale): Html {
  const { invitation, signIn } = locale.texts;
  return cardPage(
    locale,
    { title: invitation.ended.title },
    html`<p class="lead">${invitation.ended.lead}</p>
<p class="lead">${invitation.ended.next}</p>
<div class="actions"><a class="button primary" href="${SIGN_IN_PATH}">${signIn.title}</a></div>`,
  );
}
