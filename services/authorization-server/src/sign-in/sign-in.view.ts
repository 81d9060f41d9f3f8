import { type Html, html } from "../merchant-page/html.ts";
import { layout, notice } from "../merchant-page/layout.ts";
import { named } from "../merchant-page/name.ts";
import type { Locale } from "../merchant-page/texts/locale.ts";

export interface SignInView {
  /** The app that waits for an answer; null when the merchant came by himself. */
  readonly app: string | null;
  readonly action: string;
  readonly token: string;
  /** As typed before. */
  readonly email: string;
  readonly problem: string | null;
  readonly done: string | null;
  /** Where the app can be turned down without signing in. */
  readonly declinePath: string | null;
}

export function signInView(view: SignInView, locale: Locale): Html {
  const texts = locale.texts.signIn;
  const app = view.app === null ? null : named(view.app);
  const describedBy = view.problem !== null && html` aria-describedby="problem"`;
  return layout({
    locale,
    title: texts.title,
    width: "narrow",
    main: html`<section class="card">
<h1>${texts.title}</h1>
<p class="lead">${texts.lead(app)}</p>
${notice("done", view.done)}
${notice("problem", view.problem !== null && html`<span id="problem">${view.problem}</span>`)}
<form method="post" action="${view.action}">
<input type="hidden" name="token" value="${view.token}">
<label for="email">${texts.email}</label>
<input id="email" name="email" type="email" autocomplete="username" maxlength="254" required value="${view.email}"${describedBy}>
<label for="password">${texts.password}</label>
<input id="password" name="password" type="password" autocomplete="current-password" maxlength="1024" required${describedBy}>
<div class="actions"><button class="primary">${texts.submit}</button></div>
</form>
<p class="fine">${texts.safety}</p>
${view.declinePath !== null && app !== null && html`<p class="aside"><a href="${view.declinePath}">${texts.turnDown(app)}</a></p>`}
</section>`,
  });
}
