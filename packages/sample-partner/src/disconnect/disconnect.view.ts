import { type Html, html } from "../page/html.ts";
import { cardPage, type Page } from "../page/layout.ts";
import { count } from "../page/moment.ts";
import type { Shop } from "../shops/shop.ts";

export function disconnectView(shop: Shop, baseUrl: string, token: Html): Page {
  return cardPage(
    `Disconnect ${shop.name}?`,
    html`<p class="lead">We forget our access to the shop, and delete our copy: ${count(shop.responses, "response")}.</p>
<p>The approval itself is yours. You end it at Partner Connect, under ${connectedApps(baseUrl)}.</p>
<form class="actions" method="post" action="/shops/${shop.connectionId}/disconnect">${token}
<button class="danger">Disconnect and delete</button> <a class="button" href="/shops/${shop.connectionId}">Keep it</a></form>`,
  );
}

export function disconnectedView(shop: Shop, baseUrl: string): Page {
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
