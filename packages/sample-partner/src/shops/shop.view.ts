import { type Html, html } from "../page/html.ts";
import { notice } from "../page/layout.ts";
import { day } from "../page/moment.ts";
import { mustReconnect, type Shop } from "./shop.ts";

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

/** Why a shop's copy doesn't get newer, and what to do; nothing while it does. */
export function troubleView(shop: Shop, token: Html): Html | null {
  if (shop.trouble === null) return null;
  if (!mustReconnect(shop)) return notice("problem", later(shop.trouble.code));
  return notice(
    "problem",
    html`<p><strong>${shop.name} has to be connected again.</strong> ${ended(shop)} What we copied before is still here.</p>
<form class="actions" method="post" action="/connect">${token}<button class="primary">Connect again</button></form>`,
  );
}

function ended({ trouble }: Shop): string {
  if (trouble?.code === "revoked") return "The connection was ended at Partner Connect.";
  if (trouble?.reason === "grant revoked") return "The connection was ended at Partner Connect, or is paused there.";
  if (trouble?.code === "expired" || trouble?.reason === "refresh token expired")
    return "It had not been used for 30 days.";
  if (trouble?.reason === "superseded by a newer authorization")
    return "It was approved again, and we don’t hold that newer approval.";
  return "Partner Connect doesn’t know the connection that we hold.";
}

function later(code: string): string {
  if (code === "disabled" || code === "forbidden")
    return "Partner Connect has paused this connection. It goes on by itself when the pause ends.";
  if (code === "insufficient_scope")
    return "This connection may not read responses at the moment. It goes on by itself when it may.";
  if (code === "invalid_client")
    return "Partner Connect doesn’t accept this app’s client id and secret. The people who run the app have to look.";
  return "The last sync didn’t come to its end. We try again within a minute, and go on where it stopped.";
}
