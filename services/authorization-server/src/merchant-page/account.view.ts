import type { Merchant } from "@partner-connect/directory";
import { type Html, html } from "./html.ts";
import { named } from "./name.ts";
import type { Texts } from "./texts/texts.ts";

/** Who is signed in, and the way out. */
export interface AccountView {
  readonly merchant: Merchant;
  /** Where the sign-out form posts. */
  readonly signOutPath: string;
  readonly token: string;
  /** On the way to a partner a merchant changes accounts rather than leaving. */
  readonly purpose: "use_another" | "sign_out";
}

export function accountView(view: AccountView, texts: Texts): Html {
  const { account } = texts;
  const leave = view.purpose === "use_another";
  return html`<p>${account.signedInAs(named(view.merchant.name), named(view.merchant.email))}</p>
<form method="post" action="${view.signOutPath}">
<input type="hidden" name="token" value="${view.token}">
<button class="link" name="where" value="here">${leave ? account.useAnother : account.signOut}</button>
${!leave && html`<button class="link" name="where" value="everywhere">${account.signOutEverywhere}</button>`}
</form>`;
}
