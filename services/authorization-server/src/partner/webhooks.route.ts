import {
  type Delivery,
  requestTest,
  type ShownWebhook,
  shownWebhooks,
  WebhookError,
} from "@partner-connect/connections/webhooks";
import { type Html, type HtmlValue, html } from "@partner-connect/service-runtime/html";
import type { FastifyInstance, FastifyReply } from "fastify";
import { merchantActor } from "../pages/actor.ts";
import { formToken, isOurForm } from "../pages/csrf.ts";
import { formField } from "../pages/forms.ts";
import type { Locale } from "../pages/frame.ts";
import { notice } from "../pages/frame.ts";
import { exact } from "../pages/moment.ts";
import { redirectTo } from "../pages/send-page.ts";
import type { PartnerTexts } from "../texts/en.ts";
import { changeAsMember, OUT_OF_DATE, type Refusal, sectionPath, sendPartnerPage } from "./partner-page.ts";

/** The endpoints of a client with their last deliveries. Its people may send a test. */
export function webhooksRoutes(app: FastifyInstance): void {
  const { sql } = app;

  app.get("/webhooks", (request, reply) => show(reply, formField(request.query, "told")));

  app.post("/webhooks", async (request, reply) => {
    const { clientId } = request.partner;
    const path = sectionPath(request.partner, "webhooks");
    if (!isOurForm(request, path)) return await show(reply, null, OUT_OF_DATE);
    const id = formField(request.body, "webhook");
    try {
      const actor = merchantActor(request, request.merchant);
      await changeAsMember(request, (tx) => requestTest(tx, { clientId, id }, actor));
    } catch (error) {
      if (!(error instanceof WebhookError)) throw error;
      return await show(reply, null, { status: 409, problem: ({ webhooks }) => webhooks.refused });
    }
    return redirectTo(reply, `${path}?told=test`);
  });

  async function show(reply: FastifyReply, told: string | null, refusal?: Refusal) {
    const { partner: client } = reply.request;
    const webhooks = await shownWebhooks(sql, client.clientId);
    const path = sectionPath(client, "webhooks");
    const view = { path, token: formToken(reply, path), webhooks, isTestSent: told === "test" };
    return sendPartnerPage(
      reply,
      "webhooks",
      (texts, locale) => ({ body: webhooksView(view, texts, locale) }),
      refusal,
    );
  }
}

interface WebhooksView {
  readonly path: string;
  readonly token: string;
  readonly webhooks: readonly ShownWebhook[];
  readonly isTestSent: boolean;
}

function webhooksView(view: WebhooksView, { webhooks: texts }: PartnerTexts, locale: Locale): Html {
  const { path, token, webhooks, isTestSent } = view;
  const endpoint = ({ id, url, status, failingSince, deliveries }: ShownWebhook): Html =>
    html`<section class="card">
<h2 class="whole"><code>${url}</code></h2>
<p><span class="tag${status === "paused" && " muted"}">${texts.status[status]}</span>${failingSince && html` ${texts.failingSince} ${exact(failingSince, locale)}`}</p>
${status === "paused" && html`<p class="fine">${texts.paused}</p>`}
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
