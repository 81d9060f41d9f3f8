import { randomUUID } from "node:crypto";
import type { SourceType } from "@partner-connect/partner-sdk";
import { type Html, html } from "../page/html.ts";
import { notice } from "../page/layout.ts";
import { mayCreateSources, type Shop } from "../shops/shop.ts";
import type { CreatedSource } from "./created-sources.ts";

const SOURCE_TYPES: readonly SourceType[] = ["podcast", "youtube", "influencer", "tv", "newsletter", "event", "other"];

export interface RefusedSource {
  readonly name: string;
  readonly type: string;
  readonly problem: string;
}

export function sourcesView(shop: Shop, created: readonly CreatedSource[], token: Html, refused?: RefusedSource): Html {
  return html`<section class="card" aria-labelledby="sources">
<h2 id="sources">Sources</h2>
${created.length > 0 && html`<ul class="rows">${created.map(({ name, type }) => html`<li>${name} <span class="tag muted">${type}</span></li>`)}</ul>`}
${mayCreateSources(shop) ? sourceForm(shop, token, refused) : notGranted(shop, token)}
</section>`;
}

function sourceForm(shop: Shop, token: Html, refused?: RefusedSource): Html {
  const selected = (type: string) => html`<option${type === refused?.type ? html` selected` : ""}>${type}</option>`;
  // The key is the form's own: sent twice, by a double click or after a fault, it creates one source.
  return html`<p class="fine">A source is what customers can name when they are asked where they heard of the shop, such as a podcast.</p>
${refused && notice("problem", refused.problem)}
<form class="fields" method="post" action="/shops/${shop.connectionId}/sources">${token}
<input type="hidden" name="idempotency_key" value="${randomUUID()}">
<label>Name <input type="text" name="name" required maxlength="200" autocomplete="off" value="${refused?.name}"></label>
<label>Type <select name="type">${SOURCE_TYPES.map(selected)}</select></label>
<button>Create source</button>
</form>`;
}

function notGranted(shop: Shop, token: Html): Html {
  const why =
    shop.plan === "standard"
      ? html`Creating sources needs the advanced attribution plan, and ${shop.name} is on <code>${shop.plan}</code>. Everything else works. Once the shop’s plan has changed, connect it again.`
      : html`Creating sources was not granted when ${shop.name} was connected. Connect it again to be asked anew.`;
  return html`<p>${why}</p>
<form method="post" action="/connect">${token}<button>Connect again</button></form>`;
}
