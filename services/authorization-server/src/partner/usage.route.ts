import { type ActivityKind, activityOfClient, type HourlyActivity } from "@partner-connect/connections/activity";
import { type Html, type HtmlValue, html } from "@partner-connect/service-runtime/html";
import type { FastifyInstance } from "fastify";
import { formField } from "../pages/forms.ts";
import type { Locale } from "../pages/frame.ts";
import type { PartnerTexts } from "../texts/en.ts";
import { sectionPath, sendPartnerPage } from "./partner-page.ts";

const HOUR_MS = 3_600_000;

/** The last hours or days, the present one too. */
const PERIODS: Readonly<Record<Period["unit"], Period>> = {
  hour: { unit: "hour", milliseconds: HOUR_MS, count: 48 },
  day: { unit: "day", milliseconds: 24 * HOUR_MS, count: 30 },
};

/** What a client did, by the hour or the day, over all its connections, and its limits. */
export function usageRoute(app: FastifyInstance): void {
  const { sql, config } = app;

  app.get("/usage", async (request, reply) => {
    const { partner: client } = request;
    const period = PERIODS[formField(request.query, "by") === "day" ? "day" : "hour"];
    const { milliseconds, count } = period;
    const since = new Date((Math.floor(Date.now() / milliseconds) - count + 1) * milliseconds);
    const activity = await activityOfClient(sql, client.clientId, since);
    const view = { path: sectionPath(client, "usage"), period, activity, limits: config.rateLimits };
    return sendPartnerPage(reply, "usage", (texts, locale) => ({ body: usageView(view, texts, locale) }));
  });
}

interface Period {
  readonly unit: "hour" | "day";
  readonly milliseconds: number;
  readonly count: number;
}

/** Calls a minute. */
interface Limits {
  readonly authorize: number;
  readonly token: number;
  readonly partnerApi: number;
}

interface UsageView {
  readonly path: string;
  readonly period: Period;
  readonly activity: readonly HourlyActivity[];
  readonly limits: Limits;
}

/** Of each column, what is counted in it. */
const COLUMNS: Readonly<Record<keyof PartnerTexts["usage"]["columns"], readonly ActivityKind[]>> = {
  calls: ["calls"],
  records: ["records"],
  refused: ["refused"],
  limited: ["limited"],
  failed: ["failed"],
  tokens: ["refreshes", "exchanges"],
  noTokens: ["token_refused", "token_failed"],
};

function usageView({ path, period, activity, limits }: UsageView, texts: PartnerTexts, locale: Locale): Html {
  const { usage } = texts;
  const names = Object.keys(COLUMNS) as (keyof typeof COLUMNS)[];
  const start = ({ hour }: HourlyActivity) => hour.getTime() - (hour.getTime() % period.milliseconds);
  const rows = [...Map.groupBy(activity, start)].toSorted(([a], [b]) => b - a);
  const most = Math.max(1, ...rows.map(([, of]) => sum(of, "calls")));
  const format = numberFormat(locale);
  const numbers = (of: readonly HourlyActivity[]) => names.map((name) => html`<td>${format(sum(of, name))}</td>`);
  const choice = (unit: Period["unit"], label: string) =>
    html`<li><a href="${path}?by=${unit}"${unit === period.unit && html` aria-current="page"`}>${label}</a></li>`;
  return html`<ul class="foot-list">${choice("hour", usage.byHour)} ${choice("day", usage.byDay)}</ul>
${
  rows.length === 0
    ? html`<p class="lead">${usage.none}</p>`
    : html`<div class="counts" tabindex="0" role="region" aria-label="${usage.title}"><table>
<thead><tr><th scope="col">UTC</th>${names.map((name) => html`<th scope="col">${usage.columns[name]}</th>`)}</tr></thead>
<tbody><tr class="all"><th scope="row">${usage.all}</th>${numbers(activity)}</tr>
${rows.map(
  ([
    time,
    of,
  ]) => html`<tr><th scope="row">${timeView(time, period, locale)}${bar(sum(of, "calls"), most)}</th>${numbers(of)}</tr>
`,
)}</tbody></table></div>`
}
<section class="card"><h2>${usage.limits}</h2><dl class="pairs next">
<dt><code>/api/…</code></dt><dd>${usage.ofConnection(limits.partnerApi)}</dd>
<dt><code>/oauth/api/token</code></dt><dd>${usage.ofAddress(limits.token)}</dd>
<dt><code>/oauth/api/connections</code>, <code>changes</code>, <code>revoke</code></dt><dd>${usage.ofAddress(limits.partnerApi)}</dd>
<dt><code>/oauth/api/authorize</code></dt><dd>${usage.ofBrowser(limits.authorize)}</dd>
</dl><p class="fine next"><a href="/docs/rate-limits" hreflang="en">${usage.guide}</a></p></section>
<p class="fine next">${texts.refusals.exact}</p>`;
}

function sum(of: readonly HourlyActivity[], column: keyof typeof COLUMNS): number {
  const kinds = COLUMNS[column];
  return of.reduce((all, { what, count }) => (kinds.includes(what) ? all + count : all), 0);
}

/** Long numbers are rounded, so that the table fits a phone. */
function numberFormat({ tag }: Locale): (value: number) => HtmlValue {
  const [exact, short] = [
    new Intl.NumberFormat(tag),
    new Intl.NumberFormat(tag, { notation: "compact", maximumSignificantDigits: 3 }),
  ];
  return (value) => (value < 10_000 ? exact.format(value) : html`<data value="${value}">${short.format(value)}</data>`);
}

/** What the table says in numbers. */
function bar(value: number, most: number): HtmlValue {
  return value > 0 && html`<meter max="${most}" value="${value}" aria-hidden="true"></meter>`;
}

function timeView(time: number, { unit }: Period, { tag }: Locale): Html {
  const date = new Date(time);
  const form = unit === "day" ? {} : ({ hour: "2-digit", minute: "2-digit", hourCycle: "h23" } as const);
  const text = new Intl.DateTimeFormat(tag, { day: "numeric", month: "short", timeZone: "UTC", ...form }).format(date);
  return html`<time datetime="${unit === "day" ? date.toISOString().slice(0, 10) : date.toISOString()}">${text}</time>`;
}
