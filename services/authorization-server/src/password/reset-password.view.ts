import { type Html, html } from "@partner-connect/service-runtime/html";
import type { PasswordFieldProblem } from "../merchant-page/forms/new-password.ts";
import { newPasswordFields } from "../merchant-page/forms/password-field.view.ts";
import { cardPage, notice } from "../merchant-page/frame/layout.ts";
import { named } from "../merchant-page/frame/name.ts";
import { FORGOT_PASSWORD_PATH, SIGN_IN_PATH } from "../merchant-page/paths.ts";
import type { Locale } from "../merchant-page/texts/locale.ts";

export interface ResetPasswordView {
  /** Whose password it is. */
  readonly email: string;
  readonly action: string;
  readonly token: string;
  readonly isOutOfDate?: boolean;
  readonly problem?: PasswordFieldProblem;
}

export function resetPasswordView(view: ResetPasswordView, locale: Locale): Html {
  const { password: texts, signIn } = locale.texts;
  return cardPage(
    locale,
    { title: texts.reset.title },
    html`<p class="lead">${texts.reset.lead(html`<strong>${named(view.email)}</strong>`)}</p>
${notice("problem", view.isOutOfDate && texts.reset.outOfDate)}
<form method="post" action="${view.action}">
<input type="hidden" name="token" value="${view.token}">
<label for="email">${signIn.email}</label>
<input id="email" type="email" autocomplete="username" readonly value="${view.email}">
${newPasswordFields(texts, view.problem ?? null, true)}
<div class="actions"><button class="primary">${texts.reset.submit}</button></div>
</form>`,
  );
}

export function endedLinkView(locale: Locale): Html {
  const { password: texts, signIn } = locale.texts;
  return cardPage(
    locale,
    { title: texts.ended.title },
    html`<p class="lead">${texts.ended.lead}</p>
<p class="lead">${texts.ended.next}</p>
<div class="actions"><a class="button primary" href="${SIGN_IN_PATH}">${signIn.title}</a></div>
<p class="aside"><a href="${FORGOT_PASSWORD_PATH}">${signIn.forgot}</a></p>`,
  );
}
