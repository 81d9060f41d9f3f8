import type { Shop } from "@partner-connect/directory";
import { type Html, html } from "@partner-connect/service-runtime/html";
import { layout, notice } from "../merchant-page/frame/layout.ts";
import { named } from "../merchant-page/frame/name.ts";
import { membersPath } from "../merchant-page/paths.ts";
import type { Locale } from "../merchant-page/texts/locale.ts";
import type { ConnectedApp, ConnectedShop } from "./connected-apps.query.ts";
import { connectionView } from "./connection.view.ts";

export interface ConnectedAppsView {
  readonly shops: readonly ConnectedShop[];
  /** The app that the merchant has just disconnected. */
  readonly disconnected: { readonly app: string; readonly shop: string } | null;
  /** The name of the shop that the merchant has just joined. */
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

/** Who may connect apps with the shop, and, for owners, the way to change that. */
function people({ shop, members }: ConnectedShop, locale: Locale): Html {
  const texts = locale.texts.members;
  return html`<div class="people fine"><h3>${texts.listTitle}</h3>
<ul class="names">${members.map(({ name, role }) => html`<li>${named(name)}${role === "owner" && html` (${texts.role.owner})`}</li>`)}</ul>
${shop.role === "owner" ? html`<p><a href="${membersPath(shop.id)}">${texts.manage}</a></p>` : html`<p>${texts.ownersManage}</p>`}
</div>`;
}
