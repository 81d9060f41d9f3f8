import type { FastifyInstance } from "fastify";
import { notFound } from "../http/errors.ts";
import { formToken } from "../http/sessions.ts";
import { type Html, html } from "../page/html.ts";
import { cardPage, type Page, sendPage } from "../page/layout.ts";
import { count } from "../page/moment.ts";
import type { Sample } from "../sample.ts";
import type { Shop } from "../shops/shop.ts";

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

function disconnectView(shop: Shop, baseUrl: string, token: Html): Page {
  return cardPage(
    `Disconnect ${shop.name}?`,
    html`<p class="lead">We forget our access to the shop, and delete our copy: ${count(shop.responses, "response")}.</p>
<p>The approval itself is yours. You end it at Partner Connect, under ${connectedApps(baseUrl)}.</p>
<form class="actions" method="post" action="/shops/${shop.connectionId}/disconnect">${token}
<button class="danger">Disconnect and delete</button> <a class="button" href="/shops/${shop.connectionId}">Keep it</a></form>`,
  );
}

function disconnectedView(shop: Shop, baseUrl: string): Page {
  return cardPage(
    `${shop.name} is disconnected`,
    html`<p class="lead">Our tokens for the shop and our copy of its responses are deleted.</p>
<p>One step is left to you: end our approval under ${connectedApps(baseUrl)}.</p>
<p class="actions"><a class="button primary" href="/">To your shops</a></p>`,
  );
}

function connectedApps(baseUrl: string): Html {
  return html`<a href="${baseUrl}/oauth/connections">Connected apps</a>`;
}
