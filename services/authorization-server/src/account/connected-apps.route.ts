import { type ListedConnection, listConnections } from "@partner-connect/connections";
import { shopsOfMerchant, shownAddress } from "@partner-connect/directory";
import { type Html, html } from "@partner-connect/service-runtime/html";
import type { FastifyInstance } from "fastify";
import { rememberedPage } from "../browser/return-paths.ts";
import { deletionContact, statusTag } from "../pages/app-identity.ts";
import { formField } from "../pages/forms.ts";
import { ACCOUNT_FORM, contactButton, type Locale, layout, notice } from "../pages/frame.ts";
import { relativeTime } from "../pages/moment.ts";
import { address, appIcon, isolatedName } from "../pages/names.ts";
import {
  CONNECTED_APPS_PATH,
  connectionPath,
  disconnectPath,
  HELP_PATH,
  PARTNER_PATH,
} from "../pages/paths.ts";
import { redirectTo, sendPage } from "../pages/send-page.ts";
import { pageNumber, type ShopList, shopList } from "../pages/shop-list.ts";
import { requireSignIn } from "../sign-in/session.ts";

export function connectedAppsRoute(app: FastifyInstance): void {
  // A merchant who types only the host name probably looks for their apps.
  app.get("/", (_request, reply) => reply.redirect(CONNECTED_APPS_PATH, 302));

  app.get(CONNECTED_APPS_PATH, { preHandler: requireSignIn }, async (request, reply) => {
    const { query, merchant, server } = request;
    const shops = await shopsOfMerchant(server.pagesSql, merchant.id);
    // A member of a client without a shop probably wants the partner pages.
    if (shops.length === 0 && merchant.isPartner && !rememberedPage(request))
      return redirectTo(reply, PARTNER_PATH);
    const shopIds = shops.map(({ id }) => id);
    const rows = await connectionsOf(server, shopIds);
    const domains = new Map(shops.map(({ id, domain }) => [id, domain]));
    const live = rows
      .filter(({ status }) => status !== "revoked")
      .map((each) => ({ ...each, domain: domains.get(each.shopId) ?? null }));
    const clientIds = [...new Set(live.map(({ clientId }) => clientId))];
    const found = await Promise.all(clientIds.map((clientId) => server.clients.find(clientId)));
    const logos: Logos = new Map(
      found.flatMap((client) => (client ? [[client.clientId, client.logoPath]] : [])),
    );
    // The connection that the merchant ended before this page.
    const ended = rows.find(
      ({ id, status }) => id === formField(query, "disconnected") && status === "revoked",
    );
    const endedApp = ended ? await server.clients.find(ended.clientId) : null;
    const shopCountOf = (app: string) => live.filter(({ clientId }) => clientId === app).length;
    const page = (locale: Locale) => {
      const { connectedApps: texts } = locale.texts;
      // A row for each app and shop, in the order of their names.
      const list = shopList(live, {
        ...{ search: formField(query, "find"), page: pageNumber(formField(query, "page")) },
        tag: locale.tag,
        name: ({ clientName, shopName }) => `${clientName} ${shopName}`,
        more: ({ domain }) => shownAddress(domain ?? ""),
      });
      const content = html`<h1>${texts.heading}</h1>
${live.length > 0 && html`<p class="lead">${texts.lead}</p>`}
${notice("done", ended && html`${texts.disconnected(isolatedName(ended.clientName), isolatedName(ended.shopName))} ${deletionContact(endedApp, locale)}`)}
${list.isLong && searchForm(list, locale)}
${live.length === 0 && noAppsCard(shops.length > 0, locale)}
${[...Map.groupBy(list.listed, ({ clientId }) => clientId)].map(([app, rows]) => appCard(rows, shopCountOf(app), logos, locale))}
${list.pages > 1 && pageLinks(list, locale)}`;
      return layout(locale, { title: texts.title }, content);
    };
    return sendPage(reply, page, { account: merchant });
  });
}

type Row = ListedConnection & { readonly domain: string | null };

/** The paths of logos by client id. */
type Logos = ReadonlyMap<string, string | null>;

/**
 * Connections, and first approvals with a valid code. A disabled client's connections are shown as
 * paused, unless they are ended.
 */
export async function connectionsOf(
  { pagesSql, config }: FastifyInstance,
  shopIds: readonly string[],
): Promise<ListedConnection[]> {
  const { authorizationCodeTtl, refreshTokenTtl } = config.tokens;
  const wanted = { shopIds, unfinishedSeconds: authorizationCodeTtl };
  const rows = await listConnections(pagesSql, wanted, refreshTokenTtl);
  const shownStatus = ({ clientStatus, isRevoked, status }: ListedConnection) =>
    isRevoked ? "revoked" : clientStatus === "disabled" ? "disabled" : status;
  return rows.map((row) => ({ ...row, status: shownStatus(row) }));
}

/** The card of a page without apps: what to do first, and a button for it. */
function noAppsCard(hasShops: boolean, locale: Locale): Html {
  const { account, connectedApps, consent, frame } = locale.texts;
  const [none, whatNext] = hasShops
    ? [connectedApps.none, connectedApps.howToConnect]
    : [consent.noShops, consent.noShopsLead];
  return html`<section class="card"><h2>${none}</h2><p>${whatNext}</p>
<div class="actions">${
    hasShops
      ? html`<a class="button" href="${locale.frame.links.help}">${frame.help}</a>`
      : html`<button class="primary" form="${ACCOUNT_FORM}" name="where" value="here">${account.useAnother}</button>${contactButton(locale)}`
  }</div></section>`;
}

/** An app with its shops on this page. `all`: how many shops it has on all pages. */
function appCard(rows: readonly Row[], all: number, logos: Logos, locale: Locale) {
  const [app] = rows;
  return (
    app &&
    html`<section class="card"><div class="app-head">${appIcon({ name: app.clientName, logoPath: logos.get(app.clientId) ?? null })}
<div><h2 id="${app.clientId}">${isolatedName(app.clientName)}</h2>${all > 1 && html`<p class="fine">${locale.texts.consent.found(rows.length, all)}</p>`}</div></div>
<ul class="rows">${rows.map((each) => row(each, locale))}</ul></section>
`
  );
}

/** A shop, whose link is also read out with the app's name, because another app may have the shop. */
function row({ id, clientId, shopId, shopName, domain, status, lastUsedAt }: Row, locale: Locale) {
  const texts = locale.texts.connectedApps;
  return html`<li class="row"><div id="${id}"><p><b><a href="${connectionPath(shopId, id)}" id="open-${id}" aria-labelledby="open-${id} ${clientId}">${isolatedName(shopName)}</a></b></p>
<p class="fine">${domain !== null && html`${address(domain)}<span class="sep">&nbsp;· </span>`}${lastUsedAt ? html`${texts.lastUsed} ${relativeTime(lastUsedAt, locale)}` : texts.never}</p></div>${status !== "connected" && explainedStatus(status, locale)}
<form method="get" action="${disconnectPath(shopId, id)}"><button aria-describedby="${id}">${endButtonLabel(status, locale)}</button></form></li>
`;
}

/** The label of the button that ends a connection, or removes one that has expired. */
export function endButtonLabel(status: ListedConnection["status"], { texts }: Locale): string {
  return status === "expired" ? texts.disconnect.remove : texts.connectedApps.disconnect;
}

/** The status as a tag, which leads to the help's answer about it. */
export const explainedStatus = (status: ListedConnection["status"], locale: Locale) =>
  html`<a href="${HELP_PATH}#${status === "disabled" ? "paused" : "connect-again"}">${statusTag(status, locale)}</a>`;

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
