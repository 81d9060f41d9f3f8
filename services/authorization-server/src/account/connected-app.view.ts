import type { ApiUsage, Connection } from "@partner-connect/connections";
import type { Shop } from "@partner-connect/directory";
import { type Html, type HtmlValue, html } from "@partner-connect/service-runtime/html";
import { appIcon, deletion, publisher } from "../pages/app-identity.view.ts";
import type { Locale } from "../pages/locale.ts";
import { day, moment } from "../pages/moment.view.ts";
import { named } from "../pages/name.ts";
import type { ConnectedApp } from "./connected-apps.query.ts";
import { disconnectPath } from "./disconnect.route.ts";

/** An app that is connected, or can be again: what it may do, and the way to end it. */
export function connectionView({ connection, usage, client }: ConnectedApp, shop: Shop, locale: Locale): Html {
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
