import { type Html, html } from "../merchant-page/html.ts";
import { layout } from "../merchant-page/layout.ts";
import { named } from "../merchant-page/name.ts";
import type { Locale } from "../merchant-page/texts/locale.ts";

/** Turning an app down without signing in; `path` is the authorization's, and takes the form. */
export function declineView(
  view: { readonly app: string; readonly host: string; readonly path: string; readonly token: string },
  locale: Locale,
): Html {
  const texts = locale.texts.decline;
  return layout({
    locale,
    title: texts.title,
    width: "narrow",
    main: html`<section class="card">
<h1>${texts.title}</h1>
<p class="lead">${texts.lead(named(view.app), html`<strong>${view.host}</strong>`)}</p>
<form method="post" action="${view.path}">
<input type="hidden" name="token" value="${view.token}">
<div class="actions">
<button class="primary" name="decision" value="decline">${locale.texts.consent.decline}</button>
<a class="button" href="${view.path}">${texts.back}</a>
</div>
</form>
</section>`,
  });
}

/** Seen only where a browser does not follow the redirect. */
export function handOverView(view: { readonly app: string; readonly location: string }, locale: Locale): Html {
  const texts = locale.texts.handOver;
  return layout({
    locale,
    title: texts.title,
    width: "narrow",
    main: html`<section class="card">
<h1>${texts.title}</h1>
<p class="lead">${texts.lead(named(view.app))}</p>
<div class="actions"><a class="button primary" href="${view.location}">${texts.link}</a></div>
</section>`,
  });
}
