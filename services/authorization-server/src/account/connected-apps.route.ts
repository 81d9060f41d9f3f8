import { type ListedConnection, listConnections } from "@partner-connect/connections";
import { shopsOfMerchant } from "@partner-connect/directory";
import { type Html, type HtmlValue, html } from "@partner-connect/service-runtime/html";
import type { FastifyInstance } from "fastify";
import { rememberedPage } from "../browser/return-paths.ts";
import { statusTag } from "../pages/app-identity.ts";
import { formField } from "../pages/forms.ts";
import { type Locale, layout, notice } from "../pages/frame.ts";
import { relative } from "../pages/moment.ts";
import { appIcon, named } from "../pages/names.ts";
import {
  CONNECTED_APPS_PATH,
  connectionPath,
  disconnectPath,
  PARTNER_PATH,
} from "../pages/paths.ts";
import { redirectTo, sendPage } from "../pages/send-page.ts";
import { pageNumber, type ShopList, shopList } from "../pages/shop-list.ts";
import { signedIn } from "../sign-in/session.ts";

export function connectedAppsRoute(app: FastifyInstance): void {
  // A merchant who types only the host name probably looks for their apps.
  app.get("/", (_request, reply) => reply.redirect(CONNECTED_APPS_PATH, 302));

  app.get(CONNECTED_APPS_PATH, { preHandler: signedIn }, async (request, reply) => {
    const { query, merchant, server } = request;
    const shops = await shopsOfMerchant(server.pagesSql, merchant.id);
    // A member of a client without a shop probably wants the partner pages.
    if (shops.length === 0 && merchant.isPartner && !rememberedPage(request))
      return redirectTo(reply, PARTNER_PATH);
    const rows = await connectionsOf(
      server,
      shops.map(({ id }) => id),
    );
    const live = rows.filter(({ status }) => status !== "revoked");
    const clientIds = [...new Set(live.map(({ clientId }) => clientId))];
    const found = await Promise.all(clientIds.map((clientId) => server.clients.find(clientId)));
    const logos: Logos = new Map(
      found.flatMap((client) => (client ? [[client.clientId, client.logoPath]] : [])),
    );
    // The merchant's own connection that has just ended.
    const ended = rows.find(
      ({ id, status }) => id === formField(query, "disconnected") && status === "revoked",
    );
    const page = (locale: Locale) => {
      const { connectedApps: texts, consent } = locale.texts;
      const { compare } = new Intl.Collator(locale.tag);
      // A row for each shop and app, in the order of the shops' names.
      const list = shopList(
        live.toSorted((one, other) => compare(one.clientName, other.clientName)),
        {
          ...{
            search: formField(query, "find"),
            page: pageNumber(formField(query, "page")),
            tag: locale.tag,
          },
          name: ({ shopName }) => shopName,
          more: ({ clientName }) => clientName,
        },
      );
      const [none, whatNext] =
        shops.length > 0
          ? [texts.none, texts.howToConnect]
          : [consent.noShops, consent.noShopsLead];
      return layout(
        locale,
        { title: texts.title, width: "wide" },
        html`<h1>${texts.title}</h1>
${live.length > 0 && html`<p class="lead">${texts.lead}</p>`}
${notice("done", ended && texts.disconnected(named(ended.clientName), named(ended.shopName)))}
${list.isLong && html`${list.search === "" && repeated(live, logos, locale)}${searchForm(list, locale)}`}
${
  live.length === 0
    ? html`<section class="card"><p><b>${none}</b></p><p class="fine">${whatNext}</p></section>`
    : list.found > 0 &&
      html`<ul class="card connections">${list.listed.map((each) => row(each, logos, locale))}</ul>`
}
${list.pages > 1 && pageLinks(list, locale)}`,
      );
    };
    return sendPage(reply, page, { account: merchant });
  });
}

/** Paths of logos by client id. */
type Logos = ReadonlyMap<string, string | null>;

/** Connections, including a first approval whose code can still be redeemed. */
export async function connectionsOf(
  { pagesSql, config }: FastifyInstance,
  shopIds: readonly string[],
): Promise<ListedConnection[]> {
  const { authorizationCodeTtl, refreshTokenTtl } = config.tokens;
  return await listConnections(
    pagesSql,
    { shopIds, unfinishedSeconds: authorizationCodeTtl },
    refreshTokenTtl,
  );
}

function row(
  { id, shopId, clientId, clientName, shopName, status, lastUsedAt }: ListedConnection,
  logos: Logos,
  locale: Locale,
): Html {
  const texts = locale.texts.connectedApps;
  return html`<li>${appIcon({ name: clientName, logoPath: logos.get(clientId) ?? null })}
<div id="${id}"><h2>${named(clientName)}</h2> · <p>${named(shopName)}</p>
<p class="state">${statusTag(status, locale)} ${lastUsedAt ? texts.refreshed(relative(lastUsedAt, locale)) : texts.never} · <a href="${connectionPath(shopId, id)}" aria-describedby="${id}">${texts.details}</a></p></div>
<form method="get" action="${disconnectPath(shopId, id)}"><button class="danger" aria-describedby="${id}">${texts.disconnect}</button></form></li>
`;
}

/** Apps that several shops have; each leads to its rows. */
function repeated(
  connections: readonly ListedConnection[],
  logos: Logos,
  { texts }: Locale,
): HtmlValue {
  const apps = [...Map.groupBy(connections, ({ clientId }) => clientId)].filter(
    ([, { length }]) => length > 1,
  );
  const item = (clientId: string, [first, ...others]: readonly ListedConnection[]) =>
    first &&
    html`<li>${appIcon({ name: first.clientName, logoPath: logos.get(clientId) ?? null })}
<p><a href="${CONNECTED_APPS_PATH}?find=${encodeURIComponent(first.clientName)}">${named(first.clientName)}</a><br>
<span class="fine">${texts.connectedApps.shops(others.length + 1)}</span></p></li>`;
  return (
    apps.length > 0 &&
    html`<ul class="repeated">${apps.map(([clientId, all]) => item(clientId, all))}</ul>`
  );
}

function searchForm({ search, found, all }: ShopList<unknown>, { texts }: Locale): Html {
  const { find, showAll } = texts.consent;
  return html`<form method="get" action="${CONNECTED_APPS_PATH}" class="search">
<label for="find">${texts.connectedApps.search}</label>
<div><input type="search" id="find" name="find" value="${search}" autocomplete="off"><button>${find}</button></div>
<p role="status">${search !== "" && html`${found} / ${all} <a href="${CONNECTED_APPS_PATH}">${showAll}</a>`}</p>
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
