import { countedRefusals, refusalsOfClient } from "@partner-connect/connections/activity";
import type { FastifyInstance } from "fastify";
import { formField } from "../pages/form-token.ts";
import type { PageContext } from "../pages/page-context.ts";
import { partnerSection } from "./partner-section.ts";
import { refusalsView } from "./refusals.view.ts";

/** Of each reason, where all reasons are shown; and of the one that is asked for. */
const FEW = 3;
const MANY = 30;

/** What a client was refused in 7 days, with the cures: all of it by reason, one reason, or one request by its id. */
export function refusalsRoutes(app: FastifyInstance, context: PageContext): void {
  const { sql } = context;
  const { all, send } = partnerSection(app, context, "refusals");

  all.get("", async (request, reply, page) => {
    const { clientId } = page.client;
    const asked = (name: string) => formField(request.query, name).trim() || undefined;
    const requestId = asked("request_id")?.toLowerCase();
    const filter = requestId ? { requestId } : { what: asked("what"), reason: asked("reason") };
    const isFiltered = Object.values(filter).some((value) => value !== undefined);
    const [kept, counted] = await Promise.all([
      refusalsOfClient(sql, clientId, filter, isFiltered ? MANY : FEW),
      requestId ? [] : countedRefusals(sql, clientId),
    ]);
    const view = { clientId, requestId, isFiltered, kept, counted };
    return send(reply, page, (texts, locale) => ({ body: refusalsView(view, texts, locale) }));
  });
}
