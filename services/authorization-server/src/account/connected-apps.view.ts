import type { ListedConnection } from "@partner-connect/connections";
import type { Shop } from "@partner-connect/directory";
import { type Html, type HtmlValue, html } from "@partner-connect/service-runtime/html";
import { appIcon } from "../pages/app-icon.ts";
import { statusTag } from "../pages/app-identity.ts";
import type { Locale } from "../pages/frame.ts";
import { layout, notice } from "../pages/frame.ts";
import { relative } from "../pages/moment.ts";
import { named } from "../pages/names.ts";
import { CONNECTED_APPS_PATH, connectionPath, disconnectPath } from "../pages/paths.ts";
import { type ReturnPath, waitingNotice } from "../pages/return-paths.ts";
import { type ShopList, shopList } from "../pages/shop-list.ts";

interface ConnectedAppsView {
  /** What an app asks for in this browser, undecided. */
  readonly waiting: ReturnPath | null;
  readonly hasShops: boolean;
  /** All of the merchant's that are not revoked. */
  readonly connections: readonly ListedConnection[];
  /** Shops that can't be read now. */
  readonly away: readonly Shop[];
  /** By the client's id. */
  readonly logos: ReadonlyMap<string, string | null>;
  /** The merchant's own connection that has just ended. */
  readonly disconnected: ListedConnection | null;
  readonly search: string;
  readonly page: number;
}

/** A row for each shop and app, in the order of the shops' names. */
export function connectedAppsView(view: ConnectedAppsView, locale: Locale): Html {
  const texts = locale.texts.connectedApps;
  const { connections, disconnected, away, search, page } = view;
  const { compare } = new Intl.Collator(locale.tag);
  const byApp = connections.toSorted((one, other) => compare(one.clientName, other.clientName));
  const list = shopList(byApp, {
    ...{ search, page, tag: locale.tag },
    name: ({ shopName }) => shopName,
    more: ({ clientName }) => clientName,
  });
  const { noShops, noShopsLead } = locale.texts.consent;
  const [none, whatNext] = view.hasShops ? [texts.none, texts.howToConnect] : [noShops, noShopsLead];
  return layout(
    locale,
    { title: texts.title, width: "wide" },
    html`<h1>${texts.title}</h1>
${connections.length > 0 && html`<p class="lead">${texts.lead}</p>`}
${waitingNotice(view.waiting, locale)}
${notice("done", disconnected && texts.disconnected(named(disconnected.clientName), named(disconnected.shopName)))}
${notice("problem", away.length > 0 && texts.away(html`${away.slice(0, 5).map(({ name }, at) => html`${at > 0 && ", "}${named(name)}`)}${away.length > 5 && " …"}`), false)}
${list.isLong && html`${list.search === "" && repeated(view, locale)}${searchForm(list, locale)}`}
${
  connections.length === 0
    ? away.length === 0 && html`<section class="card"><p><b>${none}</b></p><p class="fine">${whatNext}</p></section>`
    : list.found > 0 && html`<ul class="card connections">${list.listed.map((each) => row(each, view, locale))}</ul>`
}
${list.pages > 1 && pageLinks(list, locale)}`,
  );
}

function row(
  { id, shopId, clientId, clientName, shopName, status, lastUsedAt }: ListedConnection,
  { logos }: ConnectedAppsView,
  locale: Locale,
): Html {
  const texts = locale.texts.connectedApps;
  return html`<li>${appIcon({ name: clientName, logoPath: logos.get(clientId) ?? null })}
<div class="what" id="${id}"><h2>${named(clientName)}</h2><p>${named(shopName)}</p></div>
<p class="state">${statusTag(status, locale)} <span>${lastUsedAt ? texts.used(relative(lastUsedAt, locale)) : texts.never}</span></p>
<div class="row-actions"><a href="${connectionPath(shopId, id)}" aria-describedby="${id}">${texts.details}</a>
<form method="get" action="${disconnectPath(shopId, id)}"><button class="danger" aria-describedby="${id}">${texts.disconnect}</button></form></div></li>
`;
}

/** Apps that several shops have; each leads to its rows. */
function repeated({ connections, logos }: ConnectedAppsView, { texts }: Locale): HtmlValue {
  const apps = [...Map.groupBy(connections, ({ clientId }) => clientId)].filter(([, { length }]) => length > 1);
  const item = (clientId: string, [first, ...others]: readonly ListedConnection[]) =>
    first &&
    html`<li>${appIcon({ name: first.clientName, logoPath: logos.get(clientId) ?? null })}
<p><a href="${CONNECTED_APPS_PATH}?find=${encodeURIComponent(first.clientName)}">${named(first.clientName)}</a><br>
<span class="fine">${texts.connectedApps.shops(others.length + 1)}</span></p></li>`;
  return apps.length > 0 && html`<ul class="repeated">${apps.map(([clientId, all]) => item(clientId, all))}</ul>`;
}

function searchForm({ search, found, all }: ShopList<unknown>, { texts }: Locale): Html {
  const { find, foundNone, showAll } = texts.consent;
  return html`<form method="get" action="${CONNECTED_APPS_PATH}" class="search">
<label for="find">${texts.connectedApps.search}</label>
<div><input type="search" id="find" name="find" value="${search}" autocomplete="off"><button>${find}</button></div>
<p role="status">${search !== "" && html`${found === 0 ? foundNone : `${found} / ${all}`} <a href="${CONNECTED_APPS_PATH}">${showAll}</a>`}</p>
</form>`;
}

function pageLinks({ page, pages, search }: ShopList<unknown>, { texts }: Locale): Html {
  const { earlier, later, pageOf } = texts.connectedApps;
  const to = (number: number) =>
    `${CONNECTED_APPS_PATH}?${new URLSearchParams({ ...(search !== "" && { find: search }), page: String(number) })}`;
  return html`<nav class="pages" aria-label="${pageOf(page, pages)}">
${page > 1 && html`<a class="button" href="${to(page - 1)}" rel="prev">${earlier}</a>`}
<p>${pageOf(page, pages)}</p>
${page < pages && html`<a class="button" href="${to(page + 1)}" rel="next">${later}</a>`}
</nav>`;
}
