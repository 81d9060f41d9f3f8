import { countClientConnections } from "@partner-connect/connections";
import {
  activityOfClient,
  countedRefusals,
  type HourlyActivity,
  REFUSAL_KINDS,
} from "@partner-connect/connections/activity";
import { shownWebhooks } from "@partner-connect/connections/webhooks";
import { clientDetails } from "@partner-connect/directory";
import { type Html, html } from "@partner-connect/service-runtime/html";
import type { FastifyInstance } from "fastify";
import { DOCS_PATH } from "../pages/paths.ts";
import { errorCount } from "./errors.route.ts";
import { formatNumber, type Section, sectionPath, sendPartnerPage } from "./partner-page.ts";
import { TWO_SECRETS } from "./secrets.route.ts";

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
    const [refusals, { secrets }, webhooks, connected, activity] = await Promise.all([
      countedRefusals(app.pagesSql, clientId),
      clientDetails(app.pagesSql, clientId),
      shownWebhooks(app.pagesSql, clientId),
      countClientConnections(app.pagesSql, clientId, { status: "connected" }, refreshTokenTtl),
      activityOfClient(app.pagesSql, clientId, new Date(first * DAY_MS)),
    ]);
    const failed = refusals.reduce((all, { count }) => all + count, 0);
    const figure = (
      name: string,
      value: number,
    ) => html`<div><dt>${name}</dt><dd>${formatNumber(value)}</dd></div>
`;
    const lines: readonly (readonly [Section, string | false])[] = [
      ["errors", failed > 0 && errorCount(failed)],
      ["settings", secrets.length > 1 && TWO_SECRETS],
      [
        "webhooks",
        webhooks.some(({ failingSince }) => failingSince !== null) && "A webhook is failing.",
      ],
    ];
    const shown = lines.filter(([, line]) => line !== false);
    return sendPartnerPage(reply, "overview", {
      body: html`<section class="card"><dl class="figures">${figure("Connected shops", connected)}</dl>
<h2>Needs attention</h2>
${
  shown.length === 0
    ? html`<p class="fine">All good.</p>`
    : html`<ul class="plain">${shown.map(([section, line]) => html`<li><a href="${sectionPath(client, section)}">${line}</a></li>`)}</ul>`
}</section>
<section class="card"><h2>Last 30 days</h2>
<dl class="figures">${figure("API calls", sum(activity, CALLS))}${figure("Records read", sum(activity, ["records"]))}${figure("Errors", sum(activity, REFUSAL_KINDS))}</dl>
${chart(activity, first)}</section>
<section class="card"><h2>Docs</h2>
<ul class="figures">${GUIDES.map(([path, title]) => html`<li><a href="${DOCS_PATH}${path}">${title}</a></li>`)}</ul></section>`,
    });
  });
}

/** `calls` counts API calls with any response. */
const CALLS = ["calls"] as const;

function sum(of: readonly HourlyActivity[], kinds: readonly HourlyActivity["what"][]): number {
  return of.reduce((all, { what, count }) => (kinds.includes(what) ? all + count : all), 0);
}

const HEIGHT = 100;

/** Calls per day, in UTC. The page has the totals as numbers, and each bar a text with its own. */
function chart(activity: readonly HourlyActivity[], first: number): Html {
  const byDay = Map.groupBy(activity, ({ hour }) => Math.floor(hour.getTime() / DAY_MS));
  const days = Array.from({ length: DAYS }, (_, place) =>
    sum(byDay.get(first + place) ?? [], CALLS),
  );
  const most = Math.max(1, ...days);
  const dates = new Intl.DateTimeFormat("en", { day: "numeric", month: "short", timeZone: "UTC" });
  const date = (place: number) => dates.format((first + place) * DAY_MS);
  const bars = days.map((calls, place) => {
    const height = Math.max(1, Math.round((calls / most) * HEIGHT));
    return html`<rect x="${place * 10 + 1}" y="${HEIGHT - height}" width="8" height="${height}"><title>${date(place)}: ${formatNumber(calls)}</title></rect>`;
  });
  return html`<figure class="chart"><svg viewBox="0 0 ${DAYS * 10} ${HEIGHT}" preserveAspectRatio="none" role="img" aria-label="API calls: Last 30 days">${bars}</svg>
<figcaption><span>${date(0)}</span><span>${date(DAYS - 1)} (UTC)</span></figcaption></figure>`;
}
