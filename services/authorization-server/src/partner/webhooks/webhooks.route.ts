import { askForHint, shownWebhooks, WebhookError } from "@partner-connect/webhooks";
import type { FastifyInstance, FastifyReply } from "fastify";
import { formField } from "../../merchant-page/forms/form-token.ts";
import { redirectTo } from "../../merchant-page/frame/send-merchant-page.ts";
import { beforeDeadline, merchantActor, type PageContext } from "../../merchant-page/page-context.ts";
import { partnerOf } from "../partner-page/partner-of.ts";
import { sectionPath, sectionRoute } from "../partner-page/partner-paths.ts";
import { type PartnerPage, sendPartnerPage } from "../partner-page/send-partner-page.ts";
import { isTold, type Told, webhooksView } from "./webhooks.view.ts";

/** The endpoints of a client with their last deliveries. Its people may send a test, or the last hint again. */
export function webhooksRoutes(app: FastifyInstance, context: PageContext): void {
  const { sql, formTokens } = context;
  const route = sectionRoute("webhooks");

  app.get(route, async (request, reply) => {
    const page = await partnerOf(context, request, reply);
    if (!page) return reply;
    const told = formField(request.query, "told");
    return await show(reply, page, isTold(told) ? told : null);
  });

  app.post(route, async (request, reply) => {
    const page = await partnerOf(context, request, reply);
    if (!page) return reply;
    const { clientId } = page.client;
    const path = sectionPath(clientId, "webhooks");
    if (!formTokens.isValid(request, path)) return await show(reply, page, "outOfDate", 403);
    const what = formField(request.body, "what") === "redeliver" ? "redeliver" : "test";
    const id = formField(request.body, "webhook");
    try {
      await beforeDeadline(askForHint(sql, { clientId, id }, what, merchantActor(request, page.account)));
    } catch (error) {
      if (error instanceof WebhookError) return await show(reply, page, "refused", 409);
      throw error;
    }
    return redirectTo(reply, `${path}?told=${what}`);
  });

  async function show(reply: FastifyReply, page: PartnerPage, told: Told | null, status = 200): Promise<FastifyReply> {
    const { clientId } = page.client;
    const webhooks = await beforeDeadline(shownWebhooks(sql, clientId));
    const path = sectionPath(clientId, "webhooks");
    return sendPartnerPage(context, reply, page, {
      section: "webhooks",
      status,
      body: (texts, locale) =>
        webhooksView({ path, token: formTokens.issue(reply, path), webhooks, told }, texts, locale),
    });
  }
}
