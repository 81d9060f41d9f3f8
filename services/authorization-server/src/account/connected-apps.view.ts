import type { ApiUsage, Connection, ListedConnection } from "@partner-connect/connections";
import type { Client, Shop } from "@partner-connect/directory";
import { type Html, type HtmlValue, html } from "@partner-connect/service-runtime/html";
import { appIcon, deletion, publisher } from "../pages/app-identity.ts";
import type { Locale } from "../pages/frame.ts";
import { layout, notice } from "../pages/frame.ts";
import { day, moment } from "../pages/moment.ts";
import { named } from "../pages/names.ts";
import { CONNECTED_APPS_PATH, disconnectPath } from "../pages/paths.ts";
import { type ReturnPath, waitingNotice } from "../pages/return-paths.ts";
import type { ShopApps, ShopPage } from "./shop-page.ts";

interface ConnectedApp {
  readonly connection: Connection;
  readonly usage: ApiUsage | undefined;
  readonly client: Client | null;
}

export interface ConnectedShops extends ShopPage {
  /** The merchant's own connection with the id that was asked for, if it is disconnected. */
  readonly disconnected: ListedConnection | null;
  /** What is shown of a connection, by its id. */
  readonly apps: ReadonlyMap<string, ConnectedApp>;
}

interface ConnectedAppsView extends ConnectedShops {
  /** What an app asks for in this browser, undecided. */
  readonly waiting: ReturnPath | null;
}

export function connectedAppsView(view: ConnectedAppsView, locale: Locale): Html {
  const texts = locale.texts.connectedApps;
  const { disconnected } = view;
  return layout(
    locale,
    { title: texts.title, width: "wide" },
    html`<h1>${texts.title}</h1>
<p class="lead">${view.all === 0 ? texts.noShops : texts.lead}</p>
${waitingNotice(view.waiting, locale)}
${notice("done", disconnected && texts.disconnected(named(disconnected.clientName), named(disconnected.shopName)))}
${view.isLong && search(view, locale)}
${view.shown.map((shop) => shopView(shop, view, locale))}
${view.pages > 1 && pageLinks(view, locale)}
${view.without.length > 0 && shopsWithout(view, locale)}`,
  );
}

function search({ search, found, all }: ConnectedAppsView, { texts }: Locale): Html {
  const { find, foundNone, showAll } = texts.consent;
  return html`<form method="get" action="${CONNECTED_APPS_PATH}" class="search">
<label for="find">${texts.connectedApps.search}</label>
<div><input type="search" id="find" name="find" value="${search}" autocomplete="off"><button>${find}</button></div>
<p role="status">${found === 0 ? foundNone : texts.consent.found(found, all)}${search !== "" && html` <a href="${CONNECTED_APPS_PATH}">${showAll}</a>`}</p>
</form>`;
}

function shopView({ shop, apps }: ShopApps, view: ConnectedAppsView, locale: Locale): Html {
  const texts = locale.texts.connectedApps;
  return html`<section class="card shop-apps">
<header><h2>${named(shop.name)}</h2>
<p class="fine">${shop.domain !== null && html`${named(shop.domain)} · `}${locale.texts.plan[shop.plan]}</p></header>
${apps ? appsView(shop, apps, view, locale) : html`<p class="no-apps">${texts.away}</p>`}
</section>`;
}

function appsView(shop: Shop, apps: NonNullable<ShopApps["apps"]>, view: ConnectedAppsView, locale: Locale): Html {
  const texts = locale.texts.connectedApps;
  const known = apps.flatMap(({ id }) => view.apps.get(id) ?? []);
  return known.length === 0
    ? html`<div class="no-apps"><p>${texts.none}</p><p class="fine">${texts.howToConnect}</p></div>`
    : html`<ul class="apps">${known.map((app) => connectionView(app, shop, locale))}</ul>`;
}

function pageLinks({ page, pages, search }: ConnectedAppsView, { texts }: Locale): Html {
  const { earlier, later, pageOf } = texts.connectedApps;
  const to = (number: number) =>
    `${CONNECTED_APPS_PATH}?${new URLSearchParams({ ...(search !== "" && { find: search }), page: String(number) })}`;
  return html`<nav class="pages" aria-label="${pageOf(page, pages)}">
${page > 1 && html`<a class="button" href="${to(page - 1)}" rel="prev">${earlier}</a>`}
<p>${pageOf(page, pages)}</p>
${page < pages && html`<a class="button" href="${to(page + 1)}" rel="next">${later}</a>`}
</nav>`;
}

/** Of more shops without an app the page has no list: a search finds them. */
const NAMED = 60;

function shopsWithout({ without, search }: ConnectedAppsView, locale: Locale): Html {
  const texts = locale.texts.connectedApps;
  const named_ = without.slice(0, NAMED);
  return html`<details class="card without"${search !== "" && html` open`}><summary>${texts.without(without.length)}</summary>
<p class="fine">${texts.howToConnect}</p>
<ul class="plain">${named_.map(({ name }) => html`<li>${named(name)}</li>`)}</ul>
${without.length > NAMED && html`<p class="fine">${texts.moreWithout(without.length - NAMED)}</p>`}
</details>`;
}

/** An app that is connected, or can be again: what it may do, and the way to end it. */
function connectionView({ connection, usage, client }: ConnectedApp, shop: Shop, locale: Locale): Html {
  const texts = locale.texts.connectedApps;
  const { id, status, clientName, merchantName, approvedAt, connectedAt, lastUsedAt, expiresAt } = connection;
  const hasState = status !== "connected" && status !== "revoked";
  const fact = (name: string, value: HtmlValue) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`;
  return html`<li class="app">
<div class="app-name">${appIcon({ name: clientName, logoPath: client?.logoPath ?? null })}
<h3 id="${id}">${named(clientName)}${hasState && html` <strong class="tag muted">${texts.status[status]}</strong>`}</h3></div>
${client && publisher(client, locale)}
${status === "approved" && html`<p>${texts.approved}</p>`}
${status === "expired" && html`<p>${texts.expired}</p>`}
${status === "disabled" && html`<p>${texts.disabled}</p>`}
<dl>
${fact(texts.can, allowed(connection, locale))}
${connectedAt !== null && fact(texts.read, readLately(usage, locale))}
${lastUsedAt !== null && fact(texts.lastUsed, moment(lastUsedAt, locale))}
</dl>
<details><summary>${texts.more}</summary>
<dl>
${fact(texts.approvedBy, texts.merchantOn(named(merchantName), moment(approvedAt, locale)))}
${connectedAt !== null && fact(texts.status.connected, moment(connectedAt, locale))}
${status === "connected" && expiresAt !== null && fact(texts.expires, texts.expiresIfUnused(day(expiresAt, locale)))}
</dl>
${deletion(client?.contact ?? null, locale)}
</details>
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
