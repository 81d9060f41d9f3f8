import { type Html, html } from "../page/html.ts";
import { day } from "../page/moment.ts";
import type { Shop } from "./shop.ts";

const GRANTS: Readonly<Record<string, string>> = {
  "responses:read": "Read responses and questions",
  "sources:write": "Create sources",
};

export function shopHead(shop: Shop): Html {
  return html`<div class="head"><h1>${shop.name}</h1><p class="fine">${shop.domain && html`${shop.domain} · `}plan <code>${shop.plan}</code> · connected ${day(shop.connectedAt)}</p>
<ul class="grants" aria-label="What the shop granted">${Object.entries(GRANTS).map(([scope, text]) => grant(text, shop.scope.includes(scope)))}</ul></div>`;
}

function grant(text: string, granted: boolean): Html {
  return granted
    ? html`<li class="tag">${text}</li>`
    : html`<li class="tag muted">${text}: <a href="#sources">not granted</a></li>`;
}

export function disconnectLink({ connectionId, name }: Shop): Html {
  return html`<p class="end"><a href="/shops/${connectionId}/disconnect">Disconnect ${name}</a></p>`;
}
