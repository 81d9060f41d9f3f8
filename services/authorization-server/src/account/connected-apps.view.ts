import type { Shop } from "@partner-connect/directory";
import { type Html, html } from "@partner-connect/service-runtime/html";
import { layout, notice } from "../pages/layout.ts";
import type { Locale } from "../pages/locale.ts";
import { named } from "../pages/name.ts";
import { CONNECTED_APPS_PATH } from "../pages/paths.ts";
import type { ReturnPath } from "../pages/return-paths.ts";
import { waitingNotice } from "../pages/waiting.view.ts";
import { connectionView } from "./connected-app.view.ts";
import type { ConnectedShops } from "./connected-apps.query.ts";
import type { ShopApps } from "./shop-page.ts";

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
