import { type Html, html } from "@partner-connect/service-runtime/html";
import { cardPage } from "../../merchant-page/frame/layout.ts";
import { named } from "../../merchant-page/frame/name.ts";
import type { Locale } from "../../merchant-page/texts/locale.ts";

export interface DeclineView {
  readonly app: string;
  /** The host that the merchant returns to. */
  readonly host: string;
  /** The authorization's path, which takes the form. */
  readonly path: string;
  readonly token: string;
}

export function declineView(view: DeclineView, locale: Locale): Html {
  const texts = locale.texts.decline;
  const lead = texts.lead(named(view.app), html`<strong>${view.host}</strong>`);
  return cardPage(
    locale,
    texts.title,
    lead,
    html`<form method="post" action="${view.path}">
<input type="hidden" name="token" value="${view.token}">
<div class="actions">
<button class="primary" name="decision" value="decline">${locale.texts.consent.decline}</button>
<a class="button" href="${view.path}">${texts.back}</a>
</div>
</form>`,
  );
}
