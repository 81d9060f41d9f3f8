import { type Html, html } from "../merchant-page/html.ts";
import { layout } from "../merchant-page/layout.ts";
import { named } from "../merchant-page/name.ts";
import type { Locale } from "../merchant-page/texts/locale.ts";

/** Seen only in a browser that does not follow the redirect. */
export function returnView(view: { readonly app: string; readonly location: string }, locale: Locale): Html {
  const texts = locale.texts.returnToPartner;
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
