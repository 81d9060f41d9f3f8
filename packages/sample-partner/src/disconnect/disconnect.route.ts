import { UnknownConnection } from "@partner-connect/partner-sdk";
import type { FastifyInstance } from "fastify";
import { notFound } from "../http/errors.ts";
import { formToken } from "../http/sessions.ts";
import { type Html, html } from "../page/html.ts";
import { cardPage, type Page, sendPage } from "../page/layout.ts";
import { count } from "../page/moment.ts";
import type { Sample } from "../sample.ts";
import type { Shop } from "../shops/shop.ts";

/** Ends the connection at Partner Connect, forgets the tokens, and deletes what was copied. */
export function disconnectRoutes(app: FastifyInstance, { partnerConnect, shops }: Sample): void {
  const path = "/shops/:id/disconnect";
  app.get<{ Params: { id: string } }>(path, async (request, reply) => {
    const shop = shops.find(request.params.id);
    if (!shop) return notFound(reply);
    return sendPage(reply, disconnectView(shop, formToken(reply)));
  });
  app.post<{ Params: { id: string } }>(path, { preHandler: app.csrfProtection }, async (request, reply) => {
    const shop = shops.find(request.params.id);
    if (!shop) return notFound(reply);
    // In this order: if it breaks off in between, the button ends the rest, and so does the next start.
    try {
      await partnerConnect.disconnect(shop.connectionId);
    } catch (error) {
      if (!(error instanceof UnknownConnection)) throw error;
    }
    shops.forget(shop.connectionId);
    return sendPage(reply, disconnectedView(shop));
  });
}

function disconnectView(shop: Shop, token: Html): Page {
  return cardPage(
    `Disconnect ${shop.name}?`,
    html`<p class="lead">Our access to the shop ends at once, also at Partner Connect. We delete our copy: ${count(shop.responses, "response")}.</p>
<form class="actions" method="post" action="/shops/${shop.connectionId}/disconnect">${token}
<button class="danger">Disconnect and delete</button> <a class="button" href="/shops/${shop.connectionId}">Keep it</a></form>`,
  );
}

function disconnectedView(shop: Shop): Page {
  return cardPage(
    `${shop.name} is disconnected`,
    html`<p class="lead">The connection has ended. Our tokens for the shop and our copy of its responses are deleted.</p>
<p class="actions"><a class="button primary" href="/">To your shops</a></p>`,
  );
}
