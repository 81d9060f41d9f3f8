import type { Connection } from "@partner-connect/connections";
import { MAX_TEST_SHOPS, TEST_SHOP_CHANGES, type TestShop } from "@partner-connect/directory";
import { type Html, html } from "@partner-connect/service-runtime/html";
import { type ConfirmationForm, confirmation } from "../pages/forms.ts";
import type { Locale } from "../pages/frame.ts";
import { named, plainName } from "../pages/names.ts";
import { DOCS_PATH } from "../pages/paths.ts";
import type { PartnerTexts } from "../texts/en.ts";
import type { PartnerView } from "./partner-page.ts";

type Texts = PartnerTexts["testShops"];

interface TestShopsView {
  readonly shops: readonly TestShop[];
  readonly action: string;
  readonly token: string;
}

export function testShopsView({ shops, action, token }: TestShopsView, texts: Texts): Html {
  return html`<section class="card"><h2>${texts.title}</h2>
<p>${texts.lead}</p>
<ul class="rows">${shops.map(
    (
      shop,
    ) => html`<li class="row"><div><a href="${action}/${shop.shopId}">${named(shop.name)}</a> <span class="fine">${stateOf(shop, texts)}</span>
<p class="fine"><code>${shop.shopId}</code></p></div></li>
`,
  )}</ul>
${
  shops.length >= MAX_TEST_SHOPS
    ? html`<p class="fine">${texts.full}</p>`
    : html`<form method="post" action="${action}">
<input type="hidden" name="token" value="${token}">
<div class="actions"><button>${texts.make}</button></div>
</form>`
}</section>`;
}

type Status = Connection["status"];

/** What can be done to the connection in each status. */
const ACTIONS = {
  connected: ["expire", "disable", "revoke"],
  approved: ["disable", "revoke"],
  expired: ["disable", "revoke"],
  disabled: ["enable", "revoke"],
  revoked: [],
} as const satisfies Record<Status, readonly (keyof Texts["act"])[]>;

export function actionsOf(status: Status | undefined): readonly (typeof ACTIONS)[Status][number][] {
  return status === undefined ? [] : ACTIONS[status];
}

export interface TestShopView {
  readonly shop: TestShop;
  /** Of the client's connection with the shop; undefined: there is none. */
  readonly status: Status | undefined;
  readonly action: string;
  readonly token: string;
  readonly back: string;
}

export function testShopView(
  { testShops: texts, connections, settings }: PartnerTexts,
  view: TestShopView,
  locale: Locale,
): PartnerView {
  const { shop, status, action, token, back } = view;
  const form = (acts: readonly (keyof Texts["act"])[]): Html =>
    html`<form method="post" action="${action}" class="actions"><input type="hidden" name="token" value="${token}">
${acts.map(
  (act) => html`<button name="what" value="${act}">${texts.act[act]}</button>
`,
)}</form>`;
  const acts = actionsOf(status);
  return {
    title: plainName(shop.name),
    body: html`<p class="lead"><code>${shop.shopId}</code> · ${stateOf(shop, texts)} · <a href="${DOCS_PATH}/test-your-integration" hreflang="en">${locale.texts.frame.docs}</a></p>
${
  !shop.isEnding &&
  html`<section class="card"><h2>${texts.connection}${status && html` <span class="tag${status !== "connected" && " muted"}">${connections.status[status]}</span>`}</h2>
<p>${texts.sees[status ?? "none"]}</p>
${acts.length > 0 && form(acts)}</section>
${shop.steps > 0 && responsesView(texts, shop, form, locale)}
<div class="actions"><a class="button" href="${back}">${settings.title}</a>
<a class="button danger" href="${action}/delete">${texts.delete}</a></div>`
}`,
  };
}

function responsesView(
  texts: Texts,
  { responses, change, lastChange }: TestShop,
  form: (acts: typeof TEST_SHOP_CHANGES) => Html,
  { tag }: Locale,
): Html {
  const last = lastChange && (lastChange.count > 0 ? texts.did[lastChange.change] : texts.didNot);
  return html`<section class="card"><h2>${texts.responses(new Intl.NumberFormat(tag).format(responses))}</h2>
${
  change === null
    ? html`${last && html`<p role="status">${last}</p>`}
${form(TEST_SHOP_CHANGES)}`
    : html`<p role="status">${texts.waits} <a href="">${texts.look}</a></p>`
}</section>`;
}

function stateOf({ steps, isEnding }: TestShop, texts: Texts): string {
  if (isEnding) return texts.state.ending;
  return steps === 0 ? texts.state.filling : texts.state.ready;
}

export function endingView(
  { testShops: texts, keep }: PartnerTexts,
  { name }: TestShop,
  form: ConfirmationForm,
): PartnerView {
  return {
    title: texts.deleteTitle(name),
    body: html`<section class="card"><p>${texts.deleteLead}</p>
${confirmation(form, texts.delete, keep)}</section>`,
  };
}
