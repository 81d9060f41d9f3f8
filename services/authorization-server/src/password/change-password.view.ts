import { type Html, html } from "@partner-connect/service-runtime/html";
import type { PasswordFieldProblem } from "../merchant-page/forms/new-password.ts";
import { newPasswordFields, passwordField } from "../merchant-page/forms/password-field.view.ts";
import { cardPage, notice } from "../merchant-page/frame/layout.ts";
import { CONNECTED_APPS_PATH, PASSWORD_PATH } from "../merchant-page/paths.ts";
import type { Locale } from "../merchant-page/texts/locale.ts";

export interface ChangePasswordView {
  readonly email: string;
  readonly token: string;
  readonly isDone?: boolean;
  readonly isOutOfDate?: boolean;
  /** The present password is. */
  readonly isWrong?: boolean;
  readonly waitMinutes?: number;
  readonly newProblem?: PasswordFieldProblem;
}

export function changePasswordView(view: ChangePasswordView, locale: Locale): Html {
  const { password: texts, signIn, connectedApps } = locale.texts;
  const { isOutOfDate = false, isWrong = false, waitMinutes, newProblem = null } = view;
  const problem = isOutOfDate
    ? texts.change.outOfDate
    : waitMinutes !== undefined && texts.tooManyAttempts(waitMinutes);
  return cardPage(
    locale,
    { title: texts.change.title },
    html`<p class="lead">${texts.change.lead}</p>
${notice("done", view.isDone && texts.change.done)}
${notice("problem", problem)}
<form method="post" action="${PASSWORD_PATH}">
<input type="hidden" name="token" value="${view.token}">
<label for="email">${signIn.email}</label>
<input id="email" type="email" autocomplete="username" readonly value="${view.email}">
${passwordField({
  name: "password",
  label: texts.present,
  kind: "current-password",
  problem: isWrong ? texts.problem.wrong : null,
  hasFocus: newProblem === null && !view.isDone,
})}
${newPasswordFields(texts, newProblem, newProblem !== null)}
<div class="actions"><button class="primary">${texts.change.submit}</button></div>
</form>
<p class="aside"><a href="${CONNECTED_APPS_PATH}">${connectedApps.title}</a></p>`,
  );
}
