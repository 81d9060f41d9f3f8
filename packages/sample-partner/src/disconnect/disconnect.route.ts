import type { FastifyInstance } from "fastify";
import { notFound } from "../http/errors.ts";
import { formToken } from "../http/sessions.ts";
import { sendPage } from "../page/layout.ts";
import type { Sample } from "../sample.ts";
import { disconnectedView, disconnectView } from "./disconnect.view.ts";

/**
 * Forgets the tokens, and deletes what was copied. Only the merchant can end the connection itself, at Partner Connect; the page says
 * where.
 */
export function disconnectRoutes(app: FastifyInstance, { config, partnerConnect, shops }: Sample): void {
  const { baseUrl } = config.partnerConnect;
  const path = "/shops/:id/disconnect";
  app.get<{ Params: { id: string } }>(path, async (request, reply) => {
    const shop = shops.find(request.params.id);
    if (!shop) return notFound(reply);
    return sendPage(reply, disconnectView(shop, baseUrl, formToken(reply)));
  });
  app.post<{ Params: { id: string } }>(path, { preHandler: app.csrfProtection }, async (request, reply) => {
    const shop = shops.find(request.params.id);
    if (!shop) return notFound(reply);
    // In this order: if it breaks off in between, the next start deletes the rest.
    await partnerConnect.forget(shop.connectionId);
    shops.forget(shop.connectionId);
    return sendPage(reply, disconnectedView(shop, baseUrl));
  });
}
