import { type Html, type HtmlValue, html } from "@partner-connect/service-runtime/html";
import type { Delivery, ShownWebhook } from "@partner-connect/webhooks";
import { notice } from "../pages/layout.ts";
import type { Locale } from "../pages/locale.ts";
import { exact } from "../pages/moment.view.ts";
import type { PartnerTexts } from "../texts/en.ts";

interface WebhooksView {
  readonly path: string;
  readonly token: string;
  readonly webhooks: readonly ShownWebhook[];
  readonly isTestSent: boolean;
}

export function webhooksView(view: WebhooksView, { webhooks: texts }: PartnerTexts, locale: Locale): Html {
  const { path, token, webhooks, isTestSent } = view;
  const endpoint = ({ id, url, status, failingSince, askedId, deliveries }: ShownWebhook): Html =>
    html`<section class="card">
<h2 class="whole"><code>${url}</code></h2>
<p><span class="tag${status === "paused" && " muted"}">${texts.status[status]}</span>${failingSince && html` ${texts.failingSince} ${exact(failingSince, locale)}`}</p>
${status === "paused" && html`<p class="fine">${texts.paused}</p>`}
${askedId !== null && html`<p class="fine" role="status">${texts.waits}</p>`}
<div class="row-actions next"><form method="post" action="${path}"><input type="hidden" name="token" value="${token}"><input type="hidden" name="webhook" value="${id}">
<button>${texts.test}</button></form></div>
${deliveries.length === 0 ? html`<p class="fine next">${texts.noDeliveries}</p>` : html`<ul class="rows">${deliveries.map((each) => deliveryView(each, texts))}</ul>`}
</section>`;
  return html`${notice("done", isTestSent && texts.testSent)}
<p class="lead">${texts.lead} <a href="/docs/webhooks" hreflang="en">${texts.guide}</a></p>
${webhooks.length === 0 ? html`<p class="lead">${texts.none}</p>` : webhooks.map(endpoint)}`;
}

function deliveryView({ id, at, status, milliseconds, error }: Delivery, texts: PartnerTexts["webhooks"]): HtmlValue {
  return html`<li class="row"><div><p><time datetime="${at}">${at.replace("T", " ").replace("Z", " UTC")}</time></p>
<p>${status === null ? texts.noAnswer : html`<code>${status}</code>`} · ${milliseconds} ms${error !== null && html` · <span lang="en">${error}</span>`}</p>
<p class="fine"><code>${id}</code></p></div></li>`;
}
