import type { ClientConnection } from "@partner-connect/connections";
import type { StoredRefusal } from "@partner-connect/connections/activity";
import type { ClientSummary } from "@partner-connect/directory";
import { type Html, type HtmlValue, html } from "@partner-connect/service-runtime/html";
import { type ConfirmationForm, confirmation } from "../pages/forms.ts";
import type { Locale } from "../pages/frame.ts";
import { notice } from "../pages/frame.ts";
import { exact, moment } from "../pages/moment.ts";
import { named, plainName } from "../pages/names.ts";
import { CONNECTION_STATUSES } from "../protocol.ts";
import type { PartnerTexts } from "../texts/en.ts";
import { type PartnerView, sectionPath } from "./partner-page.ts";

type Texts = PartnerTexts["connections"];

interface ConnectionsView {
  readonly client: ClientSummary;
  readonly rows: readonly ClientConnection[];
  readonly total: number;
  readonly follows: boolean;
  readonly isFirst: boolean;
  readonly search: string;
  readonly status: ClientConnection["status"] | undefined;
  /** One has just been ended. */
  readonly isDone: boolean;
}

export function connectionPath(client: ClientSummary, { id }: ClientConnection): string {
  return `${sectionPath(client, "connections")}/${id}`;
}

export function connectionsView(view: ConnectionsView, texts: Texts, locale: Locale): Html {
  const { client, rows, total, follows, isFirst, search, status, isDone } = view;
  const path = sectionPath(client, "connections");
  const filter = Object.entries({ find: search, status: status ?? "" }).filter(([, value]) => value !== "");
  const to = (after = "") =>
    `${path}?${new URLSearchParams({ ...Object.fromEntries(filter), ...(after && { after }) })}`;
  const isFiltered = filter.length > 0 || !isFirst;
  return html`${notice("done", isDone && texts.disconnect.done)}
<form method="get" action="${path}" class="filters">
<p><label for="find">${texts.search}</label><input type="search" id="find" name="find" value="${search}" autocomplete="off"></p>
<p><label for="status">${texts.byStatus}</label><select id="status" name="status"><option value="">${texts.all}</option>
${CONNECTION_STATUSES.map((each) => html`<option value="${each}"${each === status && html` selected`}>${texts.status[each]}</option>`)}</select></p>
<button>${texts.show}</button></form>
${
  rows.length === 0
    ? html`<p class="lead">${isFiltered ? texts.none : texts.noneYet}</p>`
    : html`<p class="total">${texts.total(total, new Intl.NumberFormat(locale.tag).format(total))}</p>
<ul class="card rows">${rows.map((row) => rowView(row, client, texts, locale))}</ul>`
}
<div class="pages">${!isFirst && html`<a class="button" href="${to()}">${texts.first}</a>`}
${follows && html`<a class="button" href="${to(rows.at(-1)?.id)}" rel="next">${texts.next}</a>`}</div>`;
}

function rowView(connection: ClientConnection, client: ClientSummary, texts: Texts, locale: Locale): Html {
  const { shopName, shopDomain, status, lastUsedAt } = connection;
  return html`<li class="row"><div><a href="${connectionPath(client, connection)}">${named(shopName)}</a>
<p class="fine">${shopDomain !== null && html`${named(shopDomain)} · `}${locale.texts.connectedApps.lastUsed}: ${lastUsedAt ? exact(lastUsedAt, locale) : texts.never}</p></div>
<span class="tag${status !== "connected" && " muted"}">${texts.status[status]}</span></li>`;
}

interface ConnectionView {
  readonly client: ClientSummary;
  readonly connection: ClientConnection;
  readonly refusals: readonly StoredRefusal[];
}

export function connectionView(
  { client, connection, refusals }: ConnectionView,
  texts: Texts,
  locale: Locale,
): PartnerView {
  const { id, shopId, shopName, shopDomain, status, scope, connectedAt, lastUsedAt, expiresAt } = connection;
  const at = (date: Date | null): HtmlValue => (date ? moment(date, locale) : texts.never);
  const canEnd = status !== "revoked";
  return {
    title: plainName(shopName),
    body: html`<section class="card"><dl class="pairs">
<dt>${texts.byStatus}</dt><dd><span class="tag${status !== "connected" && " muted"}">${texts.status[status]}</span></dd>
${shopDomain !== null && html`<dt>Domain</dt><dd>${named(shopDomain)}</dd>`}
<dt>Scope</dt><dd><code>${scope.join(" ")}</code></dd>
<dt>${texts.connected}</dt><dd>${at(connectedAt)}</dd>
<dt>${locale.texts.connectedApps.lastUsed}</dt><dd>${at(lastUsedAt)}</dd>
${status === "connected" && expiresAt !== null && html`<dt>${texts.expires}</dt><dd>${exact(expiresAt, locale)}</dd>`}
<dt>${texts.id}</dt><dd><code>${id}</code></dd>
<dt>${texts.shopId}</dt><dd><code>${shopId}</code></dd>
</dl>
${canEnd && html`<form method="get" action="${connectionPath(client, connection)}/disconnect" class="actions"><button class="danger">${locale.texts.connectedApps.disconnect}</button></form>`}</section>
<section class="card"><h2>${texts.errors}</h2>
${refusals.length === 0 ? html`<p class="fine">${locale.texts.partner.errors.none}</p>` : html`<ul class="rows">${refusals.map((one) => refusalRow(one, client, locale))}</ul>`}</section>`,
  };
}

function refusalRow(
  { at, call, status, error, reason, requestId }: StoredRefusal,
  client: ClientSummary,
  locale: Locale,
) {
  const path = `${sectionPath(client, "errors")}?${new URLSearchParams({ request_id: requestId })}`;
  return html`<li class="row"><div><code>${call}</code>
<p class="fine">${exact(at, locale)} · ${status} <code>${error ?? reason}</code></p></div><a href="${path}"><code>${requestId}</code></a></li>`;
}

export function disconnectView(
  { shopName }: ClientConnection,
  form: ConfirmationForm,
  { connections: { disconnect }, keep }: PartnerTexts,
  { texts: { connectedApps } }: Locale,
): PartnerView {
  return {
    title: disconnect.title(plainName(shopName)),
    body: html`<section class="card"><p>${disconnect.lead}</p>
${confirmation(form, connectedApps.disconnect, keep)}</section>`,
  };
}
