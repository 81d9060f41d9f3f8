import { askForTest, shownWebhooks, WebhookError } from "@partner-connect/webhooks";
import type { FastifyInstance, FastifyReply } from "fastify";
import { formField } from "../pages/form-token.ts";
import { merchantActor, type PageContext } from "../pages/page-context.ts";
import { redirectTo } from "../pages/send-merchant-page.ts";
import { partnerSection } from "./partner-section.ts";
import { OUT_OF_DATE, type PartnerPage, type Refusal } from "./send-partner-page.ts";
import { webhooksView } from "./webhooks.view.ts";

/** The endpoints of a client with their last deliveries. Its people may send a test. */
export function webhooksRoutes(app: FastifyInstance, context: PageContext): void {
  const { sql, formTokens } = context;
  const { all, pathOf, send } = partnerSection(app, context, "webhooks");

  all.get("", (request, reply, page) => show(reply, page, formField(request.query, "told")));

  all.post("", async (request, reply, page) => {
    const { clientId } = page.client;
    const path = pathOf(page);
    if (!formTokens.isValid(request, path)) return await show(reply, page, null, OUT_OF_DATE);
    const id = formField(request.body, "webhook");
    try {
      await askForTest(sql, { clientId, id }, merchantActor(request, page.account));
    } catch (error) {
      if (!(error instanceof WebhookError)) throw error;
      return await show(reply, page, null, { status: 409, problem: ({ webhooks }) => webhooks.refused });
    }
    return redirectTo(reply, `${path}?told=test`);
  });

  async function show(reply: FastifyReply, page: PartnerPage, told: string | null, refusal?: Refusal) {
    const webhooks = await shownWebhooks(sql, page.client.clientId);
    const path = pathOf(page);
    const view = { path, token: formTokens.issue(reply, path), webhooks, isTestSent: told === "test" };
    return send(reply, page, (texts, locale) => ({ body: webhooksView(view, texts, locale) }), refusal);
  }
}
