import type { Connection } from "@partner-connect/connections";
import type { Shop } from "@partner-connect/directory";
import { type AccountView, accountView } from "../merchant-page/account.view.ts";
import { type Html, html } from "../merchant-page/html.ts";
import { layout, notice } from "../merchant-page/layout.ts";
import { named } from "../merchant-page/name.ts";
import type { Locale } from "../merchant-page/texts/locale.ts";
import type { ConnectedShop } from "./connected-apps.query.ts";
import { day } from "./day.ts";
import { disconnectPath } from "./disconnect-path.ts";

export interface ConnectedAppsView {
  readonly shops: readonly ConnectedShop[];
  /** The app that the merchant has just disconnected. */
  readonly disconnected: { readonly app: string; readonly shop: string } | null;
  readonly account: AccountView;
}

export function connectedAppsView(view: ConnectedAppsView, locale: Locale): Html {
  const texts = locale.texts.connectedApps;
  const { disconnected } = view;
  return layout({
    locale,
    title: texts.title,
    width: "wide",
    account: accountView(view.account, locale.texts),
    main: html`<h1>${texts.title}</h1>
<p class="lead">${view.shops.length === 0 ? texts.noShops : texts.lead}</p>
${notice("done", disconnected && texts.disconnected(named(disconnected.app), named(disconnected.shop)))}
${view.shops.map(
  ({ shop, connections }) => html`<section class="card shop-apps">
<header><h2>${named(shop.name)}</h2>
<p class="fine">${shop.domain !== null && html`${named(shop.domain)} · `}${locale.texts.plan[shop.plan]}</p></header>
${connections.length === 0 ? html`<p>${texts.none}</p>` : html`<ul class="apps">${connections.map((connection) => app(connection, shop, locale))}</ul>`}
</section>`,
)}`,
  });
}

function app(connection: Connection, shop: Shop, locale: Locale): Html {
  const texts = locale.texts.connectedApps;
  const { id, status, scope, clientName, merchantName, approvedAt, connectedAt, lastUsedAt, expiresAt } = connection;
  return html`<li class="app">
<h3 id="${id}">${named(clientName)}${status !== "connected" && status !== "revoked" && html` <strong class="tag muted">${texts.status[status]}</strong>`}</h3>
${status === "approved" && html`<p>${texts.approved}</p>`}
${status === "expired" && html`<p>${texts.expired}</p>`}
${status === "disabled" && html`<p>${texts.disabled}</p>`}
<dl>
<div><dt>${texts.can}</dt><dd>${scope.map((value) => html`<span>${locale.texts.scope[value].title}</span>`)}</dd></div>
${connectedAt !== null && html`<div><dt>${texts.connected}</dt><dd>${day(connectedAt, locale)}</dd></div>`}
<div><dt>${texts.approvedBy}</dt><dd>${texts.merchantOn(named(merchantName), day(approvedAt, locale))}</dd></div>
${lastUsedAt !== null && html`<div><dt>${texts.lastUsed}</dt><dd>${day(lastUsedAt, locale)}</dd></div>`}
${status === "connected" && expiresAt !== null && html`<div><dt>${texts.expires}</dt><dd>${texts.expiresIfUnused(day(expiresAt, locale))}</dd></div>`}
</dl>
<form method="get" action="${disconnectPath(shop.id, id)}">
<button class="danger" aria-describedby="${id}">${texts.disconnect}</button>
</form>
</li>`;
}
