import { type Html, html } from "@partner-connect/service-runtime/html";
import type { Locale } from "./locale.ts";
import { named } from "./name.ts";
import type { AccountView } from "./page-frame.ts";
import { CONNECTED_APPS_PATH, PARTNER_PATH, PASSKEYS_PATH, PASSWORD_PATH } from "./paths.ts";

/** The id of the form that signs out. Its button stands above the page, and the form below it, so that the page's own form is the first. */
const FORM = "account";

/** On top of a page: who is signed in, the pages of the account, and the way to another account. A decision must fit on a phone below it. */
export function accountBar({ merchant, purpose }: AccountView, { texts, frame }: Locale): Html {
  const { account } = texts;
  const link = (path: string, text: string) =>
    html`<li><a href="${path}"${frame.path?.split("?", 1)[0] === path && html` aria-current="page"`}>${text}</a></li>`;
  return html`<nav aria-label="${texts.frame.account}"><ul class="foot-list">
<li><span>${account.signedInAs(named(merchant.name), html`<span class="whole">(${named(merchant.email)})</span>`)}</span></li>
${link(CONNECTED_APPS_PATH, texts.connectedApps.title)}
${merchant.isPartner && purpose === "sign_out" && link(PARTNER_PATH, texts.frame.partner)}
<li><button class="link" form="${FORM}" name="where" value="here">${purpose === "use_another" ? account.useAnother : account.signOut}</button></li>
</ul></nav>`;
}

export function accountForm(view: AccountView, { texts: { account, passkeys }, frame }: Locale): Html {
  const more = view.purpose === "sign_out";
  return html`<form method="post" action="${view.signOutPath}" id="${FORM}"${more && html` class="foot"`}>
<input type="hidden" name="token" value="${view.token}">
${
  more &&
  html`${frame.hasPasswords && html`<a href="${PASSWORD_PATH}">${account.changePassword}</a>`}
<a href="${PASSKEYS_PATH}">${passkeys.title}</a>
<button class="link" name="where" value="everywhere">${account.signOutEverywhere}</button>`
}
</form>`;
}
