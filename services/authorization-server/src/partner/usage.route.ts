import { activityOfClient } from "@partner-connect/connections/activity";
import type { FastifyInstance } from "fastify";
import { formField } from "../pages/form-token.ts";
import type { PageContext } from "../pages/page-context.ts";
import { partnerSection } from "./partner-section.ts";
import { type Limits, type Period, usageView } from "./usage.view.ts";

const HOUR_MS = 3_600_000;

/** The last hours or days, the present one too. */
const PERIODS: Readonly<Record<Period["unit"], Period>> = {
  hour: { unit: "hour", milliseconds: HOUR_MS, count: 48 },
  day: { unit: "day", milliseconds: 24 * HOUR_MS, count: 30 },
};

/** What a client did, by the hour or the day, over all its connections, and its limits. */
export function usageRoutes(app: FastifyInstance, context: PageContext & { readonly rateLimits: Limits }): void {
  const { sql, rateLimits: limits } = context;
  const { all, pathOf, send } = partnerSection(app, context, "usage");

  all.get("", async (request, reply, page) => {
    const period = PERIODS[formField(request.query, "by") === "day" ? "day" : "hour"];
    const { milliseconds, count } = period;
    const since = new Date((Math.floor(Date.now() / milliseconds) - count + 1) * milliseconds);
    const activity = await activityOfClient(sql, page.client.clientId, since);
    const view = { path: pathOf(page), period, activity, limits };
    return send(reply, page, (texts, locale) => ({ body: usageView(view, texts, locale) }));
  });
}
