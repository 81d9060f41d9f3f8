import type { Merchant } from "@partner-connect/directory";
import { type Html, html } from "@partner-connect/service-runtime/html";
import { PASSWORD_PATH } from "../paths.ts";
import type { Texts } from "../texts/en.ts";
import { named } from "./name.ts";

export interface AccountView {
  readonly merchant: Merchant;
  readonly signOutPath: string;
  readonly token: string;
  /** While an app waits for a decision, a merchant signs out to use another account. */
  readonly purpose: "use_another" | "sign_out";
}

export function accountView(view: AccountView, texts: Texts): Html {
  const { account } = texts;
  const usesAnother = view.purpose === "use_another";
  return html`<p>${account.signedInAs(named(view.merchant.name), named(view.merchant.email))}</p>
<form method="post" action="${view.signOutPath}">
<input type="hidden" name="token" value="${view.token}">
<button class="link" name="where" value="here">${usesAnother ? account.useAnother : account.signOut}</button>
${
  !usesAnother &&
  html`<a href="${PASSWORD_PATH}">${account.changePassword}</a>
<button class="link" name="where" value="everywhere">${account.signOutEverywhere}</button>`
}
</form>`;
}
