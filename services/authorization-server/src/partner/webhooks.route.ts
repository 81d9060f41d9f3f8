import {
  addWebhook,
  type Delivery,
  parseWebhookKeys,
  publicAddresses,
  removeWebhook,
  requestTest,
  type ShownWebhook,
  setWebhookStatus,
  shownWebhooks,
  WebhookError,
} from "@partner-connect/connections/webhooks";
import { type ClientSummary, lockClient } from "@partner-connect/directory";
import { type Html, type HtmlValue, html } from "@partner-connect/service-runtime/html";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { merchantActor } from "../pages/actor.ts";
import { formToken, isOurForm } from "../pages/csrf.ts";
import { notFoundPage } from "../pages/error-page.ts";
import { confirmation, formField } from "../pages/forms.ts";
import type { Locale } from "../pages/frame.ts";
import { notice } from "../pages/frame.ts";
import { exact } from "../pages/moment.ts";
import { DOCS_PATH } from "../pages/paths.ts";
import { redirectTo } from "../pages/send-page.ts";
import type { PartnerTexts } from "../texts/en.ts";
import {
  CHANGED,
  changeAsMember,
  contact,
  OUT_OF_DATE,
  proven,
  type Refusal,
  secretView,
  sectionPath,
  sendPartnerPage,
} from "./partner-page.ts";

const MAX = 10;
const BAD_URL: Refusal = { status: 422, problem: ({ webhooks }) => webhooks.badUrl };

/** The endpoints of a client with their last deliveries. Its people add, test, pause and remove them. */
export function webhooksRoutes(app: FastifyInstance): void {
  const { sql } = app;
  const { key, allowLoopback } = app.config.webhooks;
  const keys = key === undefined ? null : parseWebhookKeys(key);
  const preHandler = proven("webhooks");

  app.get("/webhooks", (request, reply) => show(reply, formField(request.query, "done") === "test"));

  app.post("/webhooks", async (request, reply) => {
    const path = pathOf(request.partner);
    if (!isOurForm(request, path)) return await show(reply, false, OUT_OF_DATE);
    const what = formField(request.body, "what");
    const endpoint = { clientId: request.partner.clientId, id: formField(request.body, "webhook") };
    const actor = merchantActor(request, request.merchant);
    const done = await unlessGone(
      changeAsMember(request, async (tx) => {
        if (what === "test") return await requestTest(tx, endpoint, actor);
        return [await setWebhookStatus(tx, endpoint, what === "pause" ? "paused" : "active", actor)];
      }),
    );
    return done ? redirectTo(reply, what === "test" ? `${path}?done=test` : path) : await show(reply, false, CHANGED);
  });

  app.post("/webhooks/add", { preHandler }, async (request, reply) => {
    const { partner: client, merchant } = request;
    if (!isOurForm(request, purposeOf(client, await shownWebhooks(sql, client.clientId)))) {
      return await show(reply, false, OUT_OF_DATE);
    }
    const url = formField(request.body, "url").trim();
    if (!keys || !(await isAllowed(url))) return await show(reply, false, BAD_URL);
    const added = await unlessGone(
      changeAsMember(request, async (tx) => {
        await lockClient(tx, client.clientId);
        // One form adds one endpoint, however often it is sent.
        if (!isOurForm(request, purposeOf(client, await shownWebhooks(tx, client.clientId)))) return null;
        return await addWebhook(tx, { clientId: client.clientId, url }, keys, merchantActor(request, merchant));
      }),
    );
    if (!added) return await show(reply, false, CHANGED);
    return sendPartnerPage(reply, "webhooks", (texts) =>
      secretView(texts, texts.webhooks.added, added.secret, pathOf(client)),
    );
  });

  app.get("/webhooks/:id/remove", { preHandler }, async (request, reply) => await confirmRemoval(request, reply));

  app.post("/webhooks/:id/remove", { preHandler }, async (request, reply) => {
    const { partner: client, merchant } = request;
    const endpoint = { clientId: client.clientId, ...(request.params as { readonly id: string }) };
    if (!isOurForm(request, removalPath(client, endpoint))) return await confirmRemoval(request, reply, OUT_OF_DATE);
    await unlessGone(changeAsMember(request, (tx) => removeWebhook(tx, endpoint, merchantActor(request, merchant))));
    return redirectTo(reply, pathOf(client));
  });

  /** A name that can't be resolved here may be one for the worker, which looks at the addresses of each call. */
  async function isAllowed(url: string): Promise<boolean> {
    try {
      await publicAddresses(url, { allowLoopback });
    } catch (error) {
      if (!(error instanceof WebhookError)) throw error;
      return error.code === "WEBHOOK_HOST_UNKNOWN";
    }
    return true;
  }

  async function confirmRemoval(request: FastifyRequest, reply: FastifyReply, refusal?: Refusal) {
    const { partner: client, params } = request;
    const endpoint = (await shownWebhooks(sql, client.clientId)).find(
      ({ id }) => id === (params as { readonly id: string }).id,
    );
    if (!endpoint) return notFoundPage(reply);
    const action = removalPath(client, endpoint);
    const form = { action, token: formToken(reply, action), back: pathOf(client) };
    return sendPartnerPage(
      reply,
      "webhooks",
      ({ webhooks: texts, keep }) => ({
        title: texts.removeTitle,
        body: html`<section class="card"><p><code>${endpoint.url}</code></p>
${confirmation(form, texts.remove, keep)}</section>`,
      }),
      refusal,
    );
  }

  async function show(reply: FastifyReply, isTestSent: boolean, refusal?: Refusal) {
    const { partner: client, body } = reply.request;
    const webhooks = await shownWebhooks(sql, client.clientId);
    const path = pathOf(client);
    const url = refusal === BAD_URL ? formField(body, "url") : "";
    const token = formToken(reply, path);
    const adding = { url, token: formToken(reply, purposeOf(client, webhooks)), isBad: refusal === BAD_URL };
    return sendPartnerPage(
      reply,
      "webhooks",
      ({ webhooks: texts }, locale) => ({
        body: html`${notice("done", isTestSent && texts.testSent)}
<p class="lead">${texts.lead} <a href="${DOCS_PATH}/webhooks" hreflang="en">${locale.texts.frame.docs}</a></p>
${webhooks.length === 0 && html`<p>${texts.none}</p>`}
${webhooks.map((each) => endpointView(each, { path, token }, texts, locale))}
${keys ? (webhooks.length < MAX ? addView(path, adding, texts) : html`<p class="next">${texts.full}</p>`) : html`<p class="next">${contact(locale.texts.partner.errors.fixes.contact, app.config)}</p>`}`,
      }),
      refusal,
    );
  }
}

/** Null: there is no such endpoint any more, or the app is disabled, or has as many as it may have. */
async function unlessGone<T>(change: Promise<T>): Promise<T | null> {
  return await change.catch((error: unknown) => {
    if (error instanceof WebhookError) return null;
    throw error;
  });
}

function pathOf(client: ClientSummary): string {
  return sectionPath(client, "webhooks");
}

function removalPath(client: ClientSummary, { id }: Pick<ShownWebhook, "id">): string {
  return `${pathOf(client)}/${id}/remove`;
}

/** The form to add an endpoint is one of the page that shows these. */
function purposeOf(client: ClientSummary, webhooks: readonly ShownWebhook[]): string {
  return `${pathOf(client)}/add ${webhooks.map(({ id }) => id).join(" ")}`;
}

type Texts = PartnerTexts["webhooks"];

interface Adding {
  readonly url: string;
  readonly token: string;
  readonly isBad: boolean;
}

function addView(path: string, { url, token, isBad }: Adding, texts: Texts): Html {
  return html`<form class="card" method="post" action="${path}/add">
<input type="hidden" name="token" value="${token}">
<h2>${texts.add}</h2>
<label for="url">${texts.url}</label>
<input id="url" name="url" type="text" inputmode="url" required maxlength="500" placeholder="https://" value="${url}" autocomplete="off" spellcheck="false"${isBad && html` aria-invalid="true"`}>
<div class="actions"><button class="primary">${texts.add}</button></div>
</form>`;
}

function endpointView(
  { id, url, status, failingSince, deliveries }: ShownWebhook,
  { path, token }: { readonly path: string; readonly token: string },
  texts: Texts,
  locale: Locale,
): Html {
  const state = status === "active" && failingSince ? "failing" : status;
  const style = { active: "", paused: " muted", failing: " bad" }[state];
  const button = (what: "test" | "pause" | "resume") => html`<button name="what" value="${what}">${texts[what]}</button>
`;
  return html`<section class="card">
<h2 class="whole"><code>${url}</code></h2>
<p><span class="tag${style}">${texts.status[state]}</span>${failingSince && html` ${texts.failingSince(exact(failingSince, locale))}`}</p>
<form method="post" action="${path}" class="row-actions next"><input type="hidden" name="token" value="${token}"><input type="hidden" name="webhook" value="${id}">
${button("test")}${button(status === "paused" ? "resume" : "pause")}<a class="button danger" href="${path}/${id}/remove">${texts.remove}</a></form>
${deliveries.length === 0 ? html`<p class="fine next">${texts.noDeliveries}</p>` : html`<ul class="rows">${deliveries.map((each) => deliveryView(each, texts))}</ul>`}
</section>`;
}

function deliveryView({ id, at, status, milliseconds, error }: Delivery, texts: Texts): HtmlValue {
  const result =
    status === null ? html`${texts.noAnswer} · <span lang="en">${error}</span>` : html`<code>${status}</code>`;
  return html`<li class="row"><div><p>${result} · ${milliseconds} ms</p>
<p class="fine"><time datetime="${at}">${at.replace("T", " ").replace("Z", " UTC")}</time> · <code>${id}</code></p></div></li>`;
}
