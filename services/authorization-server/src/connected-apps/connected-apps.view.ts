import { type Html, html } from "@partner-connect/service-runtime/html";
import { layout, notice } from "../merchant-page/frame/layout.ts";
import { named } from "../merchant-page/frame/name.ts";
import { CONNECTED_APPS_PATH, membersPath, shopPeoplePaths } from "../merchant-page/paths.ts";
import type { ReturnPath } from "../merchant-page/return/return-paths.ts";
import { waitingNotice } from "../merchant-page/return/waiting.view.ts";
import type { Locale } from "../merchant-page/texts/locale.ts";
import { connectionView } from "./connected-app.view.ts";
import type { ConnectedShop, ConnectedShops } from "./connected-apps.query.ts";

interface ConnectedAppsView extends ConnectedShops {
  readonly joined: string | null;
  /** What an app asks for in this browser, undecided. */
  readonly waiting: ReturnPath | null;
}

export function connectedAppsView(view: ConnectedAppsView, locale: Locale): Html {
  const texts = locale.texts.connectedApps;
  const { disconnected, joined } = view;
  return layout(
    locale,
    { title: texts.title, width: "wide" },
    html`<h1>${texts.title}</h1>
<p class="lead">${view.all === 0 ? texts.noShops : texts.lead}</p>
${waitingNotice(view.waiting, locale)}
${notice("done", disconnected && texts.disconnected(named(disconnected.clientName), named(disconnected.shopName)))}
${notice("done", joined !== null && texts.joined(named(joined)))}
${view.isLong && search(view, locale)}
${view.shops.map((shop) => shopView(shop, view, locale))}
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

function shopView(connected: ConnectedShop, view: ConnectedAppsView, locale: Locale): Html {
  const texts = locale.texts.connectedApps;
  const { shop, apps } = connected;
  return html`<section class="card shop-apps">
<header><h2>${named(shop.name)}</h2>
<p class="fine">${shop.domain !== null && html`${named(shop.domain)} · `}${locale.texts.plan[shop.plan]}</p></header>
${apps ? appsView(connected, apps, view, locale) : html`<p class="no-apps">${texts.away}</p>`}
${people(connected, locale)}
</section>`;
}

function appsView(
  { shop }: ConnectedShop,
  apps: NonNullable<ConnectedShop["apps"]>,
  view: ConnectedAppsView,
  locale: Locale,
): Html {
  const texts = locale.texts.connectedApps;
  const known = apps.flatMap(({ id }) => view.apps.get(id) ?? []);
  return known.length === 0
    ? html`<div class="no-apps"><p>${texts.none}</p><p class="fine">${texts.howToConnect}</p></div>`
    : html`<ul class="apps">${known.map((app) => connectionView(app, shop, locale))}</ul>`;
}

function people({ shop, members }: ConnectedShop, locale: Locale): Html {
  const texts = locale.texts.members;
  return html`<div class="people fine"><h3>${texts.listTitle}</h3>
<ul class="names">${members.map(({ name, role }) => html`<li>${named(name)}${role === "owner" && html` (${texts.role.owner})`}</li>`)}</ul>
${shop.role === "owner" ? html`<p><a href="${membersPath(shop.id)}">${texts.manage}</a></p>` : html`<p>${texts.ownersManage} <a href="${shopPeoplePaths(shop.id).leave}">${texts.leave}</a></p>`}
</div>`;
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
<ul class="plain">${named_.map(({ id, name, role }) => html`<li>${named(name)}${role === "owner" && html` <a class="fine" href="${membersPath(id)}" aria-label="${named(name)}">${locale.texts.members.manage}</a>`}</li>`)}</ul>
${without.length > NAMED && html`<p class="fine">${texts.moreWithout(without.length - NAMED)}</p>`}
</details>`;
}
