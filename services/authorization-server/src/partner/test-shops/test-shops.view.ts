import type { TestShop } from "@partner-connect/directory";
import { type Html, html } from "@partner-connect/service-runtime/html";
import { type ConfirmationForm, confirmation } from "../../merchant-page/forms/confirmation.view.ts";
import { named } from "../../merchant-page/frame/name.ts";
import type { PartnerView } from "../partner-page/send-partner-page.ts";
import type { PartnerTexts } from "../partner-page/texts/en.ts";

type Texts = PartnerTexts["testShops"];

interface TestShopsView {
  readonly shops: readonly TestShop[];
  /** No further one can be made. */
  readonly isFull: boolean;
  readonly action: string;
  readonly token: string;
}

export function testShopsView(texts: Texts, view: TestShopsView): Html {
  const { shops, isFull, action, token } = view;
  return html`<p class="lead">${texts.lead}</p>
${shops.length === 0 && html`<p>${texts.none}</p>`}
<ul class="rows">${shops.map(
    (shop) => html`<li class="row"><div>${named(shop.name)} <span class="fine">${stateOf(shop, texts)}</span>
<p class="fine"><code>${shop.shopId}</code></p></div>
${!shop.isEnding && html`<a class="button small" href="${action}/${shop.shopId}/delete">${texts.delete}</a>`}</li>
`,
  )}</ul>
${
  isFull
    ? html`<p>${texts.full}</p>`
    : html`<form method="post" action="${action}">
<input type="hidden" name="token" value="${token}">
<button class="primary">${texts.make}</button>
</form>`
}`;
}

function stateOf({ steps, isEnding }: TestShop, texts: Texts): string {
  if (isEnding) return texts.state.ending;
  return steps === 0 ? texts.state.filling : texts.state.ready;
}

export function endingView(texts: Texts, { name }: TestShop, form: ConfirmationForm): PartnerView {
  return {
    title: texts.deleteTitle(name),
    body: html`<p class="lead">${texts.deleteLead}</p>
${confirmation(form, texts.delete, texts.keep)}`,
  };
}
