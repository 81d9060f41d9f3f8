import { type Html, html } from "../page/html.ts";
import { count, moment } from "../page/moment.ts";
import type { Shop } from "../shops/shop.ts";

export function statusView(shop: Shop): Html {
  const last = shop.syncedAt === null ? "not yet" : moment(shop.syncedAt);
  return html`<section class="card" aria-labelledby="sync">
<h2 id="sync">Sync</h2>
<dl class="facts">
<div><dt>Last change</dt><dd>${last}</dd></div>
<div><dt>In our copy</dt><dd>${count(shop.responses, "response")}</dd></div>
<div><dt>Deleted by the shop, so deleted here</dt><dd>${count(shop.deletions, "response")}</dd></div>
</dl>
<p class="fine">What the shop adds, sorts anew or deletes comes within seconds. <a href="">Look again</a></p>
</section>`;
}
