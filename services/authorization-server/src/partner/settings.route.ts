import { type ClientSummary, clientDetails, testShopsOf } from "@partner-connect/directory";
import { type HtmlValue, html } from "@partner-connect/service-runtime/html";
import type { FastifyInstance } from "fastify";
import { formToken } from "../pages/csrf.ts";
import { named } from "../pages/names.ts";
import type { PartnerTexts } from "../texts/en.ts";
import { contact, type ShowSettings, sectionPath, sendPartnerPage } from "./partner-page.ts";
import { secretsRoutes } from "./secrets.route.ts";
import { secretsView } from "./secrets.view.ts";
import { testShopsRoutes } from "./test-shops.route.ts";
import { testShopsView } from "./test-shops.view.ts";

/** What is registered of a client, its secrets, and its test shops. */
export function settingsRoutes(app: FastifyInstance): void {
  const { sql, config } = app;

  const show: ShowSettings = async (reply, refusal) => {
    const { partner: client } = reply.request;
    const [{ secrets }, shops] = await Promise.all([
      clientDetails(sql, client.clientId),
      testShopsOf(sql, client.clientId),
    ]);
    const form = (name: string) => {
      const action = `${sectionPath(client, "settings")}/${name}`;
      return { action, token: formToken(reply, action) };
    };
    const secretsForm = { secrets, ...form("secrets") };
    const shopsForm = { shops, ...form("test-shops") };
    return sendPartnerPage(
      reply,
      "settings",
      (texts, locale) => ({
        body: html`${factsView(client, texts, contact(texts.settings.change, config))}
${secretsView(secretsForm, texts, locale)}
${testShopsView(shopsForm, texts.testShops)}`,
      }),
      refusal,
    );
  };

  app.get("/settings", (_, reply) => show(reply));
  secretsRoutes(app, show);
  testShopsRoutes(app, show);
}

function factsView(client: ClientSummary, { settings: texts }: PartnerTexts, change: HtmlValue): HtmlValue {
  return html`<section class="card"><h2>${texts.app}</h2>
<dl class="pairs">
<dt>${texts.name}</dt><dd>${named(client.name)}</dd>
<dt>${texts.clientId}</dt><dd><code>${client.clientId}</code></dd>
<dt>${texts.redirectUris}</dt>${client.redirectUris.map((uri) => html`<dd><code>${uri}</code></dd>`)}
<dt>${texts.scope}</dt><dd><code>${client.scope.join(" ")}</code></dd>
</dl>
<p class="fine">${change}</p></section>`;
}
