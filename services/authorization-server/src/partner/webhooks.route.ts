import { randomUUID } from "node:crypto";
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
import type { FastifyInstance, FastifyReply } from "fastify";
import { formToken, isOurForm } from "../pages/csrf.ts";
import { formField } from "../pages/forms.ts";
import { contactUs, type Locale, notice } from "../pages/frame.ts";
import { exact } from "../pages/moment.ts";
import { DOCS_PATH } from "../pages/paths.ts";
import { redirectTo } from "../pages/send-page.ts";
import type { PartnerTexts } from "../texts/en.ts";
import {
  CHANGED,
  changeAsMember,
  confirmed,
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
    const { body, partner: client } = request;
    const path = pathOf(client);
    if (!isOurForm(request, path)) return await show(reply, false, OUT_OF_DATE);
    const what = formField(body, "what");
    const endpoint = { clientId: client.clientId, id: formField(body, "webhook") };
    const done = await changeAsMember(request, async (tx, actor) => {
      if (what === "test") return await requestTest(tx, endpoint, actor, formField(body, "form"));
      return [await setWebhookStatus(tx, endpoint, what === "pause" ? "paused" : "active", actor)];
    });
    return done ? redirectTo(reply, what === "test" ? `${path}?done=test` : path) : await show(reply, false, CHANGED);
  });

  app.post("/webhooks/add", { preHandler }, async (request, reply) => {
    const { partner: client } = request;
    if (!isOurForm(request, purposeOf(client, await shownWebhooks(sql, client.clientId)))) {
      return await show(reply, false, OUT_OF_DATE);
    }
    const url = formField(request.body, "url").trim();
    if (!keys || !(await isAllowed(url))) return await show(reply, false, BAD_URL);
    const added = await changeAsMember(request, async (tx, actor) => {
      await lockClient(tx, client.clientId);
      // One form adds one endpoint, however often it is sent.
      if (!isOurForm(request, purposeOf(client, await shownWebhooks(tx, client.clientId)))) return null;
      return await addWebhook(tx, { clientId: client.clientId, url }, keys, actor);
    });
    if (!added) return await show(reply, false, CHANGED);
    return sendPartnerPage(reply, "webhooks", (texts) =>
      secretView(texts, texts.webhooks.added, added.secret, pathOf(client)),
    );
  });

  confirmed<ShownWebhook>(app, {
    path: "/webhooks/:id/remove",
    section: "webhooks",
    preHandler,
    async find({ partner, params }) {
      const { id: asked } = params as { readonly id: string };
      return (await shownWebhooks(sql, partner.clientId)).find(({ id }) => id === asked);
    },
    view: ({ url }, { webhooks }, { texts }) => ({
      title: webhooks.removeTitle,
      body: html`<p><code>${url}</code></p>`,
      button: texts.passkeys.remove,
    }),
    back: pathOf,
    async change(request, endpoint, reply) {
      await changeAsMember(request, (tx, actor) => removeWebhook(tx, endpoint, actor));
      return redirectTo(reply, pathOf(request.partner));
    },
  });

  /** A name that can't be resolved here may resolve for the worker, which checks the addresses at each call. */
  async function isAllowed(url: string): Promise<boolean> {
    try {
      await publicAddresses(url, { allowLoopback });
    } catch (error) {
      if (!(error instanceof WebhookError)) throw error;
      return error.code === "WEBHOOK_HOST_UNKNOWN";
    }
    return true;
  }

  async function show(reply: FastifyReply, isTestSent: boolean, refusal?: Refusal) {
    const { partner: client, body } = reply.request;
    const webhooks = await shownWebhooks(sql, client.clientId);
    const path = pathOf(client);
    const isBad = refusal === BAD_URL;
    const token = formToken(reply, path);
    const addToken = formToken(reply, purposeOf(client, webhooks));
    const addForm = (texts: Texts): Html => html`<form class="card" method="post" action="${path}/add">
<input type="hidden" name="token" value="${addToken}">
<h2>${texts.add}</h2>
<label for="url">${texts.url}</label>
<input id="url" name="url" type="text" inputmode="url" required maxlength="500" placeholder="https://" value="${isBad ? formField(body, "url") : ""}" autocomplete="off" spellcheck="false"${isBad && html` aria-invalid="true"`}>
<div class="actions"><button class="primary">${texts.add}</button></div>
</form>`;
    const view = ({ webhooks: texts }: PartnerTexts, locale: Locale) => ({
      body: html`${notice("done", isTestSent && texts.testSent)}
<p class="lead">${texts.lead} <a href="${DOCS_PATH}/webhooks" hreflang="en">${locale.texts.frame.docs}</a></p>
${webhooks.length === 0 && html`<p>${texts.none}</p>`}
${webhooks.map((each) => endpointView(each, { path, token }, texts, locale))}
${keys ? (webhooks.length < MAX ? addForm(texts) : html`<p class="next">${texts.full}</p>`) : html`<p class="next">${contactUs(locale, app.config.supportUrl)}</p>`}`,
    });
    return sendPartnerPage(reply, "webhooks", view, refusal);
  }
}

function pathOf(client: ClientSummary): string {
  return sectionPath(client, "webhooks");
}

/** Includes the listed endpoints, so a form of an outdated page is refused. */
function purposeOf(client: ClientSummary, webhooks: readonly ShownWebhook[]): string {
  return `${pathOf(client)}/add ${webhooks.map(({ id }) => id).join(" ")}`;
}

type Texts = PartnerTexts["webhooks"];

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
<form method="post" action="${path}" class="row-actions next"><input type="hidden" name="token" value="${token}"><input type="hidden" name="webhook" value="${id}"><input type="hidden" name="form" value="${randomUUID()}">
${button("test")}${button(status === "paused" ? "resume" : "pause")}<a class="button danger" href="${path}/${id}/remove">${locale.texts.passkeys.remove}</a></form>
${deliveries.length === 0 ? html`<p class="fine next">${texts.noDeliveries}</p>` : html`<ul class="rows">${deliveries.map((each) => deliveryView(each, texts))}</ul>`}
</section>`;
}

function deliveryView({ id, at, status, milliseconds, error }: Delivery, texts: Texts): HtmlValue {
  // A code such as ECONNREFUSED; a sentence of the worker's would be English.
  const code = error !== null && /^[A-Z_]+$/.test(error) && html` · <code>${error}</code>`;
  const result = status === null ? html`${texts.noAnswer}${code}` : html`<code>${status}</code>`;
  return html`<li class="row"><div><p>${result} · ${milliseconds} ms</p>
<p class="fine"><time datetime="${at}">${at.replace("T", " ").replace("Z", " UTC")}</time> · <code>${id}</code></p></div></li>`;
}
