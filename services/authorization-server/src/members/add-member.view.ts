import { ROLES, type Role, type Shop } from "@partner-connect/directory";
import { type Html, html } from "@partner-connect/service-runtime/html";
import type { Locale } from "../merchant-page/texts/locale.ts";
import type { MemberProblem } from "../merchant-page/texts/texts.ts";
import { invitationsPath } from "./members-paths.ts";

export interface AddMemberView {
  readonly shop: Shop;
  readonly token: string;
  readonly problem?: MemberProblem;
  /** As typed before. */
  readonly email?: string;
  readonly role?: Role;
}

/** The form that makes an invitation. */
export function addMemberView(view: AddMemberView, locale: Locale): Html {
  const { members: texts, signIn } = locale.texts;
  const { shop, token, problem, email = "", role: chosen = "member" } = view;
  const isWrong = problem === "email" || problem === "already_member";
  const invalid = isWrong && html` aria-invalid="true" aria-describedby="problem" autofocus`;
  return html`<h2 class="next">${texts.add}</h2>
<p class="fine">${texts.addLead}</p>
<form method="post" action="${invitationsPath(shop.id)}">
<input type="hidden" name="token" value="${token}">
<label for="email">${signIn.email}</label>
<input id="email" name="email" type="email" autocomplete="off" autocapitalize="none" spellcheck="false" maxlength="254" required value="${email}"${invalid}>
<div class="choices">${ROLES.toReversed().map(
    (
      role,
    ) => html`<p class="choice"><input id="role-${role}" name="role" type="radio" value="${role}"${role === chosen && html` checked`}>
<label for="role-${role}">${texts.role[role]}: ${texts.roleDoes[role]}</label></p>`,
  )}</div>
<div class="actions"><button class="primary">${texts.submit}</button></div>
</form>`;
}
