import { randomUUID } from "node:crypto";
import {
  addWebhook,
  type Delivery,
  parseWebhookKeys,
  publicAddresses,
  removeWebhook,
  requestTest,
  rotateWebhookSecret,
  type ShownEndpoint,
  setWebhookStatus,
  shownWebhooks,
  WebhookError,
} from "@partner-connect/connections/webhooks";
import { type ClientSummary, lockClient } from "@partner-connect/directory";
import { type Html, html } from "@partner-connect/service-runtime/html";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { browserSecretOrNew, formToken, isOurForm } from "../browser/csrf.ts";
import { ENGLISH } from "../browser/locale.ts";
import { formField } from "../pages/forms.ts";
import { contactUs, notice } from "../pages/frame.ts";
import { exactTime, logTime } from "../pages/moment.ts";
import { allowBreaks } from "../pages/names.ts";
import { DOCS_PATH } from "../pages/paths.ts";
import { redirectTo } from "../pages/send-page.ts";
import { quantity } from "./errors.route.ts";
import {
  CHANGED,
  changeAsMember,
  confirmationRoutes,
  copyableText,
  OUT_OF_DATE,
  type Refusal,
  requireIdentity,
  SEP,
  secretView,
  sectionPath,
  sendPartnerPage,
} from "./partner-page.ts";

const MAX = 10;
/** Seconds for which webhooks are signed with the old secret too. */
const OVERLAP_SECONDS = 24 * 3600;
const UNDER_WAY: Refusal = { status: 409, problem: "Two secrets still sign. Try again in a day." };
const BAD_URL: Refusal = { status: 422, problem: "Use an https URL with a public address." };

/** A client's endpoints with their deliveries. Members add, test, pause and remove endpoints. */
export function webhooksRoutes(app: FastifyInstance): void {
  const { pagesSql } = app;
  const { key, allowLoopback } = app.config.webhooks;
  const keys = key === undefined ? null : parseWebhookKeys(key);
  const preHandler = requireIdentity("webhooks");

  app.get("/webhooks", (_, reply) => show(reply));

  app.post("/webhooks", async (request, reply) => {
    const { body, partner: client } = request;
    const path = pathOf(client);
    if (!isOurForm(request, path)) return await show(reply, OUT_OF_DATE);
    const what = formField(body, "what");
    const endpoint = { clientId: client.clientId, id: formField(body, "webhook") };
    const done = await changeAsMember(request, async (tx, actor) => {
      if (what === "test") return await requestTest(tx, endpoint, actor, formField(body, "form"));
      return [await setWebhookStatus(tx, endpoint, what === "pause" ? "paused" : "active", actor)];
    });
    return done
      ? redirectTo(reply, what === "test" ? `${path}?done=test` : path)
      : await show(reply, CHANGED);
  });

  app.post("/webhooks/add", { preHandler }, async (request, reply) => {
    const { partner: client } = request;
    if (!isOurForm(request, purposeOf(client, await shownWebhooks(pagesSql, client.clientId)))) {
      return await show(reply, OUT_OF_DATE);
    }
    const url = formField(request.body, "url").trim();
    if (!keys || !(await isAllowed(url))) return await show(reply, BAD_URL);
    const added = await changeAsMember(request, async (tx, actor) => {
      await lockClient(tx, client.clientId);
      // Even if a form is sent twice, it adds only one endpoint.
      if (!isOurForm(request, purposeOf(client, await shownWebhooks(tx, client.clientId))))
        return null;
      return await addWebhook(tx, { clientId: client.clientId, url }, keys, actor);
    });
    if (!added) return await show(reply, CHANGED);
    const view = secretView("Your signing secret", added.secret, pathOf(client));
    return sendPartnerPage(reply, "webhooks", view);
  });

  async function find({ partner, params }: FastifyRequest) {
    const { id: asked } = params as { readonly id: string };
    return (await shownWebhooks(pagesSql, partner.clientId)).find(({ id }) => id === asked);
  }
  const page = { section: "webhooks", preHandler, find, back: pathOf } as const;

  confirmationRoutes<ShownEndpoint>(app, {
    ...page,
    path: "/webhooks/:id/remove",
    view: ({ url }) => ({
      title: "Remove this endpoint?",
      body: html`<p><code>${allowBreaks(url)}</code></p>`,
      button: "Remove",
    }),
    async change(request, endpoint, reply) {
      await changeAsMember(request, (tx, actor) => removeWebhook(tx, endpoint, actor));
      return redirectTo(reply, pathOf(request.partner));
    },
  });

  if (keys === null) return;
  confirmationRoutes<ShownEndpoint>(app, {
    ...page,
    path: "/webhooks/:id/replace",
    view: ({ url }) => ({
      title: "Replace the secret?",
      body: html`<p><code>${allowBreaks(url)}</code></p>
<p>For a day both secrets sign. Install the new one within it.</p>`,
      button: "Replace secret",
    }),
    async change(request, endpoint, reply) {
      const made = await changeAsMember(request, (tx, actor) =>
        rotateWebhookSecret(tx, endpoint, OVERLAP_SECONDS, keys, actor),
      );
      if (!made) return await show(reply, UNDER_WAY);
      const view = secretView("Your new signing secret", made.secret, pathOf(request.partner));
      return sendPartnerPage(reply, "webhooks", view);
    },
  });

  /** True if the host is public, or unknown: the worker may resolve it, and checks each call. */
  async function isAllowed(url: string): Promise<boolean> {
    try {
      await publicAddresses(url, { allowLoopback });
    } catch (error) {
      if (!(error instanceof WebhookError)) throw error;
      return error.code === "WEBHOOK_HOST_UNKNOWN";
    }
    return true;
  }

  async function show(reply: FastifyReply, refusal?: Refusal) {
    const { partner: client, body: form, query } = reply.request;
    const webhooks = await shownWebhooks(pagesSql, client.clientId);
    const path = pathOf(client);
    const isBad = refusal === BAD_URL;
    const token = formToken(browserSecretOrNew(reply), path);
    const addToken = formToken(browserSecretOrNew(reply), purposeOf(client, webhooks));
    const addForm = html`<form method="post" action="${path}/add">
<input type="hidden" name="token" value="${addToken}">
<label for="url">Endpoint URL</label>
<input id="url" name="url" type="text" inputmode="url" required maxlength="500" placeholder="https://" value="${isBad ? formField(form, "url") : ""}" autocomplete="off" spellcheck="false"${isBad && html` aria-invalid="true"`}>
<div class="actions"><button class="primary">Add endpoint</button></div>
</form>`;
    const body = html`${notice("done", formField(query, "done") === "test" && html`Test sent. <a href="${path}">See the result</a>.`)}
<div class="columns">${webhooks.length > 0 && html`<div>${webhooks.map((each) => endpointView(each, path, token, keys !== null))}</div>`}
<section class="card"><h2>${webhooks.length === 0 ? "No endpoints yet" : "Add an endpoint"}</h2>
<p>We call it when your feed has something new, and sign each call.</p>
<p><a href="${DOCS_PATH}/webhooks">How webhooks work</a></p>
${keys ? (webhooks.length < MAX ? addForm : html`<p>You can have up to ten endpoints.</p>`) : html`<p>We add endpoints for you. ${contactUs(ENGLISH, app.config.supportUrl)}</p>`}</section></div>`;
    return sendPartnerPage(reply, "webhooks", { body }, refusal);
  }
}

const pathOf = (client: ClientSummary) => sectionPath(client, "webhooks");

/** The purpose of the form that adds an endpoint. If the endpoints change, it is out of date. */
function purposeOf(client: ClientSummary, webhooks: readonly ShownEndpoint[]): string {
  return `${pathOf(client)}/add ${webhooks.map(({ id }) => id).join(" ")}`;
}

export function endpointTag({ status, failingSince }: ShownEndpoint): Html {
  if (status === "paused") return html`<strong class="tag caution">Paused</strong>`;
  return html`<strong class="tag${failingSince && " bad"}">${failingSince ? "Failing" : "Active"}</strong>`;
}

function endpointView(
  endpoint: ShownEndpoint,
  path: string,
  token: string,
  canReplace: boolean,
): Html {
  const { id, url, status, failingSince, failures, nextAttemptAt, deliveries } = endpoint;
  const [what, label] = status === "paused" ? ["resume", "Resume"] : ["pause", "Pause"];
  const [last] = deliveries;
  return html`<section class="card">
<h2><code>${allowBreaks(url)}</code> ${endpointTag(endpoint)}</h2>
<p class="fine">${failingSince ? html`${quantity(failures, "failure")} since ${exactTime(failingSince, ENGLISH)}.${status === "active" && nextAttemptAt > new Date() && html` Next attempt ${exactTime(nextAttemptAt, ENGLISH)}.`}` : last ? html`Last attempt ${exactTime(new Date(last.at), ENGLISH)}: ${resultOf(last)}` : "No attempts yet"}</p>
${last && last.error !== null && last.body !== "" && html`<p class="fine">Response: <code>${allowBreaks(last.body)}</code></p>`}
<form method="post" action="${path}" class="row-actions"><input type="hidden" name="token" value="${token}"><input type="hidden" name="webhook" value="${id}"><input type="hidden" name="form" value="${randomUUID()}">
<button name="what" value="test">Send test</button>
<button name="what" value="${what}">${label}</button>
${canReplace && html`<a class="button" href="${path}/${id}/replace">Replace secret</a>`}<a class="button danger" href="${path}/${id}/remove">Remove</a></form>
${last && html`<details${failingSince && html` open`}><summary>Last deliveries</summary><ul class="rows">${deliveries.map(deliveryView)}</ul></details>`}
</section>`;
}

const REASONS = [
  [/can't be resolved$/, "Host name not found"],
  [/^(ECONNREFUSED|E(HOST|NET)UNREACH)$/, "Couldn’t connect"],
] as const;

/** The response's status or, without a response, the reason and a code such as ECONNREFUSED. */
function resultOf({ status, error }: Delivery): Html {
  const code = error !== null && /^[A-Z_]+$/.test(error) && html`${SEP}<code>${error}</code>`;
  const [, why = "No response"] = REASONS.find(([pattern]) => pattern.test(error ?? "")) ?? [];
  return status === null ? html`${why}${code}` : html`<code>${status}</code>`;
}

function deliveryView(delivery: Delivery): Html {
  const { id, at, milliseconds, error } = delivery;
  return html`<li class="row"><div><p>${error !== null && html`<span class="tag bad">Failed</span> `}<span>${resultOf(delivery)} · ${milliseconds} ms</span></p>
<p class="fine">${logTime(new Date(at))}${SEP}${copyableText(id)}</p></div></li>`;
}
