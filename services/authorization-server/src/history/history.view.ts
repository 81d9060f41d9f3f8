import type { PastEvent } from "@partner-connect/audit";
import { HISTORY_DAYS } from "@partner-connect/audit";
import { isScope } from "@partner-connect/contract";
import type { OwnShop } from "@partner-connect/directory";
import { type Html, type HtmlValue, html } from "@partner-connect/service-runtime/html";
import { doneBy } from "../merchant-page/app/done-by.view.ts";
import { cardPage } from "../merchant-page/frame/layout.ts";
import { exact } from "../merchant-page/frame/moment.view.ts";
import { named, plainName } from "../merchant-page/frame/name.ts";
import { ACCOUNT_HISTORY_PATH, CONNECTED_APPS_PATH, historyPath } from "../merchant-page/paths.ts";
import type { Texts } from "../merchant-page/texts/en.ts";
import type { Locale } from "../merchant-page/texts/locale.ts";

interface HistoryView {
  readonly events: readonly PastEvent[];
  /** Where the older ones begin; null: there are none. */
  readonly older: string | null;
  readonly isFirst: boolean;
}

/** Of a shop. */
export type Shown = "all" | "apps" | "people";

interface ShopHistoryView extends HistoryView {
  readonly shop: OwnShop;
  /** The names of the apps that there are or were, by id. */
  readonly clients: ReadonlyMap<string, string>;
  readonly show: Shown;
  readonly clientId: string;
}

export function shopHistoryView(view: ShopHistoryView, locale: Locale): Html {
  const texts = locale.texts.history;
  const { shop } = view;
  const path = historyPath(shop.id);
  return cardPage(
    locale,
    { title: texts.titleOf(plainName(shop.name)), heading: texts.heading(named(shop.name)), width: "medium" },
    html`${filters(view, locale)}
${listed(view, path, { show: view.show, app: view.clientId }, locale)}
<p class="aside"><a href="${CONNECTED_APPS_PATH}">${locale.texts.connectedApps.title}</a> · <a href="${ACCOUNT_HISTORY_PATH}">${texts.ownTitle}</a></p>`,
  );
}

export function accountHistoryView(view: HistoryView, locale: Locale): Html {
  const texts = locale.texts.history;
  return cardPage(
    locale,
    { title: texts.ownTitle, width: "medium" },
    html`${listed(view, ACCOUNT_HISTORY_PATH, {}, locale)}
<p class="aside"><a href="${CONNECTED_APPS_PATH}">${locale.texts.connectedApps.title}</a></p>`,
  );
}

function filters({ shop, show, clients, clientId }: ShopHistoryView, { texts, tag }: Locale): Html {
  const { history } = texts;
  const option = (value: string, chosen: string, text: HtmlValue) =>
    html`<option value="${value}"${value === chosen && html` selected`}>${text}</option>`;
  const { compare } = new Intl.Collator(tag, { numeric: true });
  const apps = [...clients].toSorted(([, a], [, b]) => compare(a, b));
  return html`<form method="get" action="${historyPath(shop.id)}" class="filters">
${
  shop.role === "owner" &&
  html`<p><label for="show">${history.show}</label>
<select id="show" name="show">${(["all", "apps", "people"] as const).map((kind) => option(kind, show, history.kinds[kind]))}</select></p>`
}
${
  apps.length > 0 &&
  html`<p><label for="app">${history.app}</label>
<select id="app" name="app">${option("", clientId, history.allApps)}${apps.map(([id, name]) => option(id, clientId, plainName(name)))}</select></p>`
}
<button>${history.show}</button>
</form>`;
}

function listed(view: HistoryView, path: string, filter: Readonly<Record<string, string>>, locale: Locale): Html {
  const texts = locale.texts.history;
  const query = new URLSearchParams(Object.entries(filter).filter(([, value]) => value !== ""));
  const older = view.older && `${path}?${new URLSearchParams([...query, ["before", view.older]])}`;
  return html`${view.events.length === 0 && html`<p class="lead">${view.isFirst ? texts.none(HISTORY_DAYS) : texts.noneOlder}</p>`}
<ul class="rows">${view.events.map((event) => eventView(event, locale))}</ul>
<p class="fine">${texts.days(HISTORY_DAYS)}</p>
${older && html`<div class="actions"><a class="button" href="${older}" rel="next">${texts.older}</a></div>`}`;
}

function eventView(event: PastEvent, locale: Locale): Html {
  const { history } = locale.texts;
  return html`<li class="row"><div><p>${sentence(event, history)}</p>
${scopes(event, locale)}
<p class="fine">${exact(event.at, locale)} · ${doneBy(event, locale)}${event.ip !== null && html` · ${history.from(event.ip)}`}</p></div></li>`;
}

function sentence(
  { action, clientName, merchantName, detail }: PastEvent,
  { apps, people, account, somebody }: Texts["history"],
): HtmlValue {
  const bold = (name: string) => html`<b>${named(name)}</b>`;
  if (action in apps) return apps[action as keyof typeof apps](bold(clientName ?? "?"));
  if (action in people)
    return people[action as keyof typeof people](bold(merchantName ?? addressOf(detail) ?? somebody));
  return account[action as keyof typeof account];
}

/** Of an invitation; null once its person was erased. */
function addressOf({ email }: PastEvent["detail"]): string | null {
  return typeof email === "string" && email.includes("@") ? email : null;
}

/** What an approval allowed. */
function scopes({ action, detail }: PastEvent, { texts }: Locale): HtmlValue {
  const { scope } = detail;
  if (action !== "approve" || !Array.isArray(scope)) return null;
  return html`<p>${texts.connectedApps.can}: ${scope
    .filter(isScope)
    .map((value) => texts.scope[value].title)
    .join("; ")}</p>`;
}
