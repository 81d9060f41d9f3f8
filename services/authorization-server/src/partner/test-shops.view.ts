import type { TestShop } from "@partner-connect/directory";
import { type Html, html } from "@partner-connect/service-runtime/html";
import { named } from "../pages/name.ts";
import type { PartnerTexts } from "../texts/en.ts";
import { stateOf } from "./test-shop.view.ts";

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
    (
      shop,
    ) => html`<li class="row"><div><a href="${action}/${shop.shopId}">${named(shop.name)}</a> <span class="fine">${stateOf(shop, texts)}</span>
<p class="fine"><code>${shop.shopId}</code></p></div></li>
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
