import { activityOfClient } from "@partner-connect/connections/activity";
import type { FastifyInstance } from "fastify";
import { formField } from "../../merchant-page/forms/form-token.ts";
import { beforeDeadline, type PageContext } from "../../merchant-page/page-context.ts";
import { partnerOf } from "../partner-page/partner-of.ts";
import { sectionPath, sectionRoute } from "../partner-page/partner-paths.ts";
import { sendPartnerPage } from "../partner-page/send-partner-page.ts";
import { type Period, usageView } from "./usage.view.ts";

const HOUR_MS = 3_600_000;

/** The last hours or days, the present one too. */
const PERIODS: Readonly<Record<string, Period>> = {
  hour: { unit: "hour", milliseconds: HOUR_MS, count: 48 },
  day: { unit: "day", milliseconds: 24 * HOUR_MS, count: 30 },
};

/** Calls per minute. */
export interface Limits {
  readonly authorize: number;
  readonly token: number;
  readonly partnerApi: number;
}

/** What a client did, by the hour or the day, over all its connections, and its limits. */
export function usageRoutes(app: FastifyInstance, context: PageContext & { readonly rateLimits: Limits }): void {
  const { sql, rateLimits } = context;

  app.get(sectionRoute("usage"), async (request, reply) => {
    const page = await partnerOf(context, request, reply);
    if (!page) return reply;
    const { clientId } = page.client;
    const period = PERIODS[formField(request.query, "by") === "day" ? "day" : "hour"] as Period;
    const { milliseconds, count } = period;
    const since = new Date((Math.floor(Date.now() / milliseconds) - count + 1) * milliseconds);
    const activity = await beforeDeadline(activityOfClient(sql, clientId, since));
    const path = sectionPath(clientId, "usage");
    return sendPartnerPage(context, reply, page, {
      section: "usage",
      body: (texts, locale) => usageView({ path, period, activity, limits: rateLimits }, texts, locale),
    });
  });
}
