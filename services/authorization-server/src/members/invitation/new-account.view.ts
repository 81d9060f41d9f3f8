import { type Html, html } from "@partner-connect/service-runtime/html";
import type { PasswordFieldProblem } from "../../merchant-page/forms/new-password.ts";
import { newPasswordFields } from "../../merchant-page/forms/password-field.view.ts";
import type { Locale } from "../../merchant-page/texts/locale.ts";
import { invitationPath, type OpenInvitation } from "./invitation-step.ts";

export interface NewAccountView {
  readonly open: OpenInvitation;
  readonly token: string;
  readonly problem?: "name" | "out_of_date";
  readonly passwordProblem?: PasswordFieldProblem;
  /** As typed before. */
  readonly name?: string;
}

/** The form by which the holder of a link gets an account. Its email is the invitation's, for password managers to keep. */
export function newAccountView(view: NewAccountView, { texts }: Locale): Html {
  const { open, token, problem, passwordProblem = null, name = "" } = view;
  const invalid = problem === "name" && html` aria-invalid="true" aria-describedby="problem" autofocus`;
  return html`<form method="post" action="${invitationPath(open, "/account")}">
<input type="hidden" name="token" value="${token}">
<label for="email">${texts.signIn.email}</label>
<input id="email" type="email" autocomplete="username" readonly value="${open.invitation.email}">
<label for="name">${texts.invitation.name}</label>
<input id="name" name="name" type="text" autocomplete="name" maxlength="100" required value="${name}"${invalid}>
${newPasswordFields(texts.password, passwordProblem, passwordProblem !== null)}
<div class="actions"><button class="primary">${texts.invitation.create}</button></div>
</form>`;
}
