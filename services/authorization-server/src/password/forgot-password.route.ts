import { type Html, html } from "@partner-connect/service-runtime/html";
import type { FastifyInstance } from "fastify";
import { cardPage } from "../merchant-page/frame/layout.ts";
import { sendMerchantPage } from "../merchant-page/frame/send-merchant-page.ts";
import { FORGOT_PASSWORD_PATH, SIGN_IN_PATH } from "../merchant-page/paths.ts";
import type { Locale } from "../merchant-page/texts/locale.ts";

/** Says what to do. It asks for no email, so nobody learns here whether there is an account. */
export function forgotPasswordRoute(app: FastifyInstance): void {
  app.get(FORGOT_PASSWORD_PATH, async (_, reply) => sendMerchantPage(reply, forgotPasswordView));
}

function forgotPasswordView(locale: Locale): Html {
  const { forgot } = locale.texts.password;
  const { help } = locale.frame.links;
  return cardPage(
    locale,
    { title: forgot.title },
    html`<p class="lead">${forgot.lead}</p>
<ol class="steps">${forgot.steps.map((step) => html`<li>${step}</li>`)}</ol>
<div class="actions">${help !== null && html`<a class="button primary" href="${help}">${forgot.askHere}</a>`}
<a class="button" href="${SIGN_IN_PATH}">${forgot.back}</a></div>`,
  );
}
