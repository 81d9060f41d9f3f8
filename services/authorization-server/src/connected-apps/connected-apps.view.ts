import type { ApiUsage, Connection } from "@partner-connect/connections";
import type { Shop } from "@partner-connect/directory";
import { type Html, type HtmlValue, html } from "@partner-connect/service-runtime/html";
import { layout, notice } from "../merchant-page/frame/layout.ts";
import { day, moment } from "../merchant-page/frame/moment.view.ts";
import { named } from "../merchant-page/frame/name.ts";
import { membersPath } from "../merchant-page/paths.ts";
import type { Locale } from "../merchant-page/texts/locale.ts";
import type { ConnectedApp, ConnectedShop } from "./connected-apps.query.ts";
import { disconnectPath } from "./disconnect.route.ts";

interface ConnectedAppsView {
  readonly shops: readonly ConnectedShop[];
  readonly disconnected: { readonly app: string; readonly shop: string } | null;
  readonly joined: string | null;
}

export function connectedAppsView(view: ConnectedAppsView, locale: Locale): Html {
  const texts = locale.texts.connectedApps;
  const { disconnected, joined } = view;
  const { compare } = new Intl.Collator(locale.tag, { numeric: true });
  const shops = view.shops.toSorted((a, b) => compare(a.shop.name, b.shop.name));
  return layout(
    locale,
    { title: texts.title, width: "wide" },
    html`<h1>${texts.title}</h1>
<p class="lead">${shops.length === 0 ? texts.noShops : texts.lead}</p>
${notice("done", disconnected && texts.disconnected(named(disconnected.app), named(disconnected.shop)))}
${notice("done", joined !== null && texts.joined(named(joined)))}
${shops.map((shop) => shopView(shop, locale))}`,
  );
}

function shopView(connected: ConnectedShop, locale: Locale): Html {
  const texts = locale.texts.connectedApps;
  const { shop, apps } = connected;
  return html`<section class="card shop-apps">
<header><h2>${named(shop.name)}</h2>
<p class="fine">${shop.domain !== null && html`${named(shop.domain)} · `}${locale.texts.plan[shop.plan]}</p></header>
${apps ? appsView(shop, apps, locale) : html`<p class="no-apps">${texts.away}</p>`}
${people(connected, locale)}
</section>`;
}

function appsView(shop: Shop, apps: readonly ConnectedApp[], locale: Locale): Html {
  const texts = locale.texts.connectedApps;
  const shown = apps.filter(({ connection }) => connection.status !== "revoked");
  return shown.length === 0
    ? html`<div class="no-apps"><p>${texts.none}</p><p class="fine">${texts.howToConnect}</p></div>`
    : html`<ul class="apps">${shown.map((app) => connectionView(app, shop, locale))}</ul>`;
}

function people({ shop, members }: ConnectedShop, locale: Locale): Html {
  const texts = locale.texts.members;
  return html`<div class="people fine"><h3>${texts.listTitle}</h3>
<ul class="names">${members.map(({ name, role }) => html`<li>${named(name)}${role === "owner" && html` (${texts.role.owner})`}</li>`)}</ul>
${shop.role === "owner" ? html`<p><a href="${membersPath(shop.id)}">${texts.manage}</a></p>` : html`<p>${texts.ownersManage}</p>`}
</div>`;
}

function connectionView({ connection, usage }: ConnectedApp, shop: Shop, locale: Locale): Html {
  const texts = locale.texts.connectedApps;
  const { id, status, clientName, merchantName, approvedAt, connectedAt, lastUsedAt, expiresAt } = connection;
  const hasState = status !== "connected" && status !== "revoked";
  const fact = (name: string, value: HtmlValue) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`;
  return html`<li class="app">
<h3 id="${id}">${named(clientName)}${hasState && html` <strong class="tag muted">${texts.status[status]}</strong>`}</h3>
${status === "approved" && html`<p>${texts.approved}</p>`}
${status === "expired" && html`<p>${texts.expired}</p>`}
${status === "disabled" && html`<p>${texts.disabled}</p>`}
<dl>
${fact(texts.can, allowed(connection, locale))}
${connectedAt !== null && fact(texts.read, readLately(usage, locale))}
${connectedAt !== null && fact(texts.connected, moment(connectedAt, locale))}
${fact(texts.approvedBy, texts.merchantOn(named(merchantName), moment(approvedAt, locale)))}
${lastUsedAt !== null && fact(texts.lastUsed, moment(lastUsedAt, locale))}
${status === "connected" && expiresAt !== null && fact(texts.expires, texts.expiresIfUnused(day(expiresAt, locale)))}
</dl>
<form method="get" action="${disconnectPath(shop.id, id)}">
<button class="danger" aria-describedby="${id}">${texts.disconnect}</button>
</form>
</li>`;
}

function allowed({ scope }: Connection, { texts }: Locale): Html {
  return html`<ul class="allowed">${scope.map((value) => html`<li>${texts.scope[value].title}<span class="fine">${texts.scope[value].does}</span></li>`)}</ul>`;
}

function readLately(usage: ApiUsage | undefined, { texts, tag }: Locale): Html {
  const { records, calls } = texts.connectedApps;
  if (!usage) return html`${texts.connectedApps.readNothing}`;
  const number = new Intl.NumberFormat(tag);
  return html`<span>${records(usage.records, number.format(usage.records))}</span><span>${calls(usage.calls, number.format(usage.calls))}</span>`;
}
