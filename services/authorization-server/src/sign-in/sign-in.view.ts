import { type Html, html } from "@partner-connect/service-runtime/html";
import { cardPage, notice } from "../merchant-page/frame/layout.ts";
import { named } from "../merchant-page/frame/name.ts";
import type { SignInPlace } from "../merchant-page/merchant-sign-in.ts";
import { FORGOT_PASSWORD_PATH } from "../merchant-page/paths.ts";
import type { Locale } from "../merchant-page/texts/locale.ts";

export interface SignInView {
  readonly place: SignInPlace;
  readonly token: string;
  /** As the merchant typed it before; or empty. */
  readonly email: string;
  readonly problem: string | null;
  readonly notice: string | null;
}

export function signInView(view: SignInView, locale: Locale): Html {
  const texts = locale.texts.signIn;
  const { place } = view;
  const app = place.app === null ? null : named(place.app);
  // A merchant who comes back to the form has only the password to type.
  const [focusEmail, focusPassword] = view.email === "" ? [html` autofocus`, null] : [null, html` autofocus`];
  const describedBy = view.problem !== null && html` aria-describedby="problem"`;
  return cardPage(
    locale,
    { title: texts.title },
    html`<p class="lead">${texts.lead(app)}</p>
${notice("done", view.notice)}
${notice("problem", view.problem !== null && html`<span id="problem">${view.problem}</span>`)}
<form method="post" action="${place.action}">
<input type="hidden" name="token" value="${view.token}">
<label for="email">${texts.email}</label>
<input id="email" name="email" type="email" autocomplete="username" autocapitalize="none" spellcheck="false" maxlength="254" required value="${view.email}"${focusEmail}${describedBy}>
<label for="password">${texts.password}</label>
<input id="password" name="password" type="password" autocomplete="current-password" maxlength="1024" required${focusPassword}${describedBy}>
<div class="actions"><button class="primary">${texts.title}</button></div>
</form>
<p class="aside"><a href="${FORGOT_PASSWORD_PATH}">${texts.forgot}</a></p>
<p class="fine">${texts.safety(html`<strong>${locale.frame.host}</strong>`)}</p>
${place.declinePath !== null && app !== null && html`<p class="aside"><a href="${place.declinePath}">${texts.decline(app)}</a></p>`}`,
  );
}
