import { type Html, html } from "@partner-connect/service-runtime/html";
import { cardPage } from "../merchant-page/frame/layout.ts";
import { PASSKEYS_PATH } from "../merchant-page/paths.ts";
import type { Locale } from "../merchant-page/texts/locale.ts";

/** The recovery codes, which this page alone ever shows. */
export function codesView(codes: readonly string[], locale: Locale): Html {
  const texts = locale.texts.passkeys.codes;
  return cardPage(
    locale,
    { title: texts.title },
    html`<p class="lead">${texts.lead}</p>
<ul class="copied">${codes.map((code) => html`<li><code>${code}</code></li>`)}</ul>
<p class="fine">${texts.once}</p>
<div class="actions"><a class="button primary" href="${PASSKEYS_PATH}">${texts.kept}</a></div>`,
  );
}
