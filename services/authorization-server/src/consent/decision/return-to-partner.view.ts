import { type Html, html } from "@partner-connect/service-runtime/html";
import { cardPage } from "../../merchant-page/frame/layout.ts";
import { named } from "../../merchant-page/frame/name.ts";
import type { Locale } from "../../merchant-page/texts/locale.ts";

/** Seen only in a browser that does not follow the redirect. */
export function returnView(view: { readonly app: string; readonly location: string }, locale: Locale): Html {
  const texts = locale.texts.returnToPartner;
  const link = html`<div class="actions"><a class="button primary" href="${view.location}">${texts.link}</a></div>`;
  return cardPage(locale, texts.title, texts.lead(named(view.app)), link);
}
