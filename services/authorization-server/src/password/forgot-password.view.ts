import { type Html, html } from "@partner-connect/service-runtime/html";
import { cardPage } from "../merchant-page/frame/layout.ts";
import { SIGN_IN_PATH } from "../merchant-page/paths.ts";
import type { Locale } from "../merchant-page/texts/locale.ts";

export function forgotPasswordView(locale: Locale): Html {
  const { forgot } = locale.texts.password;
  const { help } = locale.frame.links;
  return cardPage(
    locale,
    forgot.title,
    forgot.lead,
    html`<ol class="steps">${forgot.steps.map((step) => html`<li>${step}</li>`)}</ol>
<div class="actions">${help !== null && html`<a class="button primary" href="${help}">${forgot.askHere}</a>`}
<a class="button" href="${SIGN_IN_PATH}">${forgot.back}</a></div>`,
  );
}
