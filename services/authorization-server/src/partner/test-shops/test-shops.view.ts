import type { TestShop } from "@partner-connect/directory";
import { type Html, html } from "@partner-connect/service-runtime/html";
import { notice } from "../../merchant-page/frame/layout.ts";
import { named } from "../../merchant-page/frame/name.ts";
import type { PartnerTexts } from "../partner-page/texts/en.ts";

type Texts = PartnerTexts["testShops"];

export type TestShopProblem = "tooMany" | "outOfDate";

interface TestShopsView {
  readonly shops: readonly TestShop[];
  /** No further one can be made. */
  readonly isFull: boolean;
  readonly action: string;
  readonly token: string;
  readonly problem: TestShopProblem | null;
  readonly deletionPath: (shop: TestShop) => string;
}

export function testShopsView(texts: Texts, view: TestShopsView): Html {
  const { shops, isFull, action, token, problem, deletionPath } = view;
  return html`${notice("problem", problem && texts.problem[problem])}
<p class="lead">${texts.lead}</p>
${shops.length === 0 && html`<p>${texts.none}</p>`}
<ul class="rows">${shops.map(
    (shop) => html`<li class="row"><div>${named(shop.name)} <span class="fine">${stateOf(shop, texts)}</span>
<p class="fine"><code>${shop.shopId}</code></p></div>
${!shop.isEnding && html`<a class="button small" href="${deletionPath(shop)}">${texts.delete}</a>`}</li>
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

interface EndingView {
  readonly action: string;
  readonly token: string;
  readonly isOutOfDate: boolean;
  readonly back: string;
}

export function endingView(texts: Texts, { action, token, isOutOfDate, back }: EndingView): Html {
  return html`${notice("problem", isOutOfDate && texts.problem.outOfDate)}
<p class="lead">${texts.deleteLead}</p>
<form method="post" action="${action}">
<input type="hidden" name="token" value="${token}">
<div class="actions">
<button class="danger filled">${texts.delete}</button>
<a class="button" href="${back}">${texts.keep}</a>
</div>
</form>`;
}
