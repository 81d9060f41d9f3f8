import { countClientConnections } from "@partner-connect/connections";
import {
  activityOfClient,
  type HourlyActivity,
  REFUSAL_KINDS,
} from "@partner-connect/connections/activity";
import { type ShownEndpoint, shownWebhooks } from "@partner-connect/connections/webhooks";
import { clientDetails } from "@partner-connect/directory";
import { type Html, html } from "@partner-connect/service-runtime/html";
import type { FastifyInstance } from "fastify";
import { ENGLISH } from "../browser/locale.ts";
import { exactTime } from "../pages/moment.ts";
import { allowBreaks } from "../pages/names.ts";
import { DOCS_PATH } from "../pages/paths.ts";
import { countText } from "./connections.route.ts";
import { quantity } from "./errors.route.ts";
import { emptyCard, formatNumber, pair, sectionPath, sendPartnerPage } from "./partner-page.ts";
import { TWO_SECRETS } from "./secrets.route.ts";
import { endpointTag } from "./webhooks.route.ts";

const DAY_MS = 24 * 3_600_000;
const DAYS = 30;

/** Guides that partners look for most. */
const GUIDES = [
  ["/first-connection", "First connection"],
  ["/test-your-integration", "Test your integration"],
  ["/rate-limits", "Rate limits"],
  ["/reference", "API reference"],
] as const;

export function overviewRoutes(app: FastifyInstance): void {
  const { refreshTokenTtl } = app.config.tokens;

  app.get("", async ({ partner: client }, reply) => {
    const { clientId } = client;
    const first = Math.floor(Date.now() / DAY_MS) - DAYS + 1;
    const [{ secrets }, webhooks, connected, activity] = await Promise.all([
      clientDetails(app.pagesSql, clientId),
      shownWebhooks(app.pagesSql, clientId),
      countClientConnections(app.pagesSql, clientId, { status: "connected" }, refreshTokenTtl),
      activityOfClient(app.pagesSql, clientId, new Date((first - DAYS) * DAY_MS)),
    ]);
    const recent = activity.filter(({ hour }) => hour.getTime() > Date.now() - 7 * DAY_MS);
    const failed = sum(recent, REFUSAL_KINDS);
    const { now = [], before = [] } = Object.groupBy(activity, ({ hour }) =>
      hour.getTime() < first * DAY_MS ? "before" : "now",
    );
    const figure = (name: string, kinds: Parameters<typeof sum>[1]) =>
      pair(
        name,
        html`${formatNumber(sum(now, kinds))}<p>Previous: ${formatNumber(sum(before, kinds))}</p>`,
      );
    const failing = webhooks.filter((each) => each.failingSince || each.status === "paused");
    const lines = [
      ...failing.map((each) => ["webhooks", failingEndpoint(each)] as const),
      ["errors", failed > 0 && `${quantity(failed, "error")} in the last 7 days`],
      ["settings", secrets.length > 1 && TWO_SECRETS],
    ] as const;
    const shown = lines.filter(([, line]) => line !== false);
    return sendPartnerPage(reply, "overview", {
      body: html`${shown.length === 0 && client.status === "active" && ALL_GOOD}<div class="columns">
${
  shown.length > 0 &&
  html`<section class="card whole"><h2>Needs attention <strong class="tag caution">${shown.length}</strong></h2>
<ul class="rows">${shown.map(([section, line]) => html`<li class="row"><div>${line}</div><a class="button" href="${sectionPath(client, section)}">See ${section}</a></li>`)}</ul></section>`
}
<section class="card whole"><h2>Last 30 days</h2><dl class="figures">${pair("Connected shops", html`${countText(connected)}<p>Now</p>`)}${figure("API calls", ["calls"])}${figure("Records read", ["records"])}${figure("Errors", REFUSAL_KINDS)}</dl></section>
${sum(now, ["calls", ...REFUSAL_KINDS]) > 0 ? html`<section class="card"><h2>API calls and errors per day (UTC)</h2>\n<p aria-hidden="true"><span class="tag dot">API calls</span><span class="tag dot bad">Errors</span></p>${chart(now, first)}</section>` : emptyCard("API calls per day", NO_CALLS)}
<section class="card"><h2>Docs</h2>
<ul>${GUIDES.map(([path, title]) => html`<li><a href="${DOCS_PATH}${path}">${title}</a></li>`)}</ul></section></div>`,
    });
  });
}

function sum(of: readonly HourlyActivity[], kinds: readonly HourlyActivity["what"][]): number {
  return of.reduce((all, { what, count }) => (kinds.includes(what) ? all + count : all), 0);
}

const failingEndpoint = (endpoint: ShownEndpoint) =>
  html`<p>${endpointTag(endpoint)} <code>${allowBreaks(endpoint.url)}</code> <span class="fine">${endpoint.status === "active" && endpoint.failingSince && html`since ${exactTime(endpoint.failingSince, ENGLISH)}`}</span></p>`;
const ALL_GOOD = html`<p class="lead">All good. Nothing needs your attention.</p>`;
const NO_CALLS = "No API calls in the last 30 days. Connect a shop, and read its responses.";

const HEIGHT = 100;

/**
 * Calls and errors per UTC day: bars with their values as titles, and a table of the values for
 * people who can't see them.
 */
function chart(activity: readonly HourlyActivity[], first: number): Html {
  const byDay = Map.groupBy(activity, ({ hour }) => Math.floor(hour.getTime() / DAY_MS));
  const dates = new Intl.DateTimeFormat("en", { day: "numeric", month: "short", timeZone: "UTC" });
  const days = Array.from({ length: DAYS }, (_, place) => ({
    date: `${dates.format((first + place) * DAY_MS)}${place === DAYS - 1 ? " so\u00a0far" : ""}`,
    count: sum(byDay.get(first + place) ?? [], ["calls"]),
    errors: sum(byDay.get(first + place) ?? [], REFUSAL_KINDS),
  }));
  const most = Math.max(...days.flatMap(({ count, errors }) => [count, errors]));
  // The axis ends at a round number above the highest bar.
  const step = 10 ** Math.floor(Math.log10(most)) / 2;
  const top = Math.ceil(most / step) * step;
  const bar = (place: number, value: number, isBad = false) => {
    const height = Math.max(isBad ? 2 : 0, Math.round((value / top) * HEIGHT));
    return html`<rect x="${place * 10 + 1}" y="${HEIGHT - height}" width="8" height="${height}"${isBad && html` class="bad"`}/>`;
  };
  const bars = days.map(({ date, count, errors }, place) => {
    const title = `${date}: ${quantity(count, "call")}, ${quantity(errors, "error")}`;
    return html`<g><title>${title}</title>${bar(place, count)}${errors > 0 && bar(place, errors, true)}</g>`;
  });
  return html`<figure class="chart"><p class="axis" aria-hidden="true"><span>${formatNumber(top)}</span>${top % 2 === 0 && html`<span>${formatNumber(top / 2)}</span>`}<span>0</span></p>
<svg viewBox="0 0 ${DAYS * 10} ${HEIGHT}" preserveAspectRatio="none" aria-hidden="true">${bars}</svg>
<p class="dates" aria-hidden="true">${[0, DAYS / 2, DAYS - 1].map((place) => html`<span>${days[place]?.date}</span>`)}</p></figure>
<details><summary>Show as table</summary><table><thead><tr><th>Day (UTC)</th><th>API calls</th><th>Errors</th></tr></thead>
<tbody>${days.map(({ date, count, errors }) => html`<tr><td>${date}</td><td>${formatNumber(count)}</td><td>${formatNumber(errors)}</td></tr>`)}</tbody></table></details>`;
}
