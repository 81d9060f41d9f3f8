import { clientDetails, testShopsOf } from "@partner-connect/directory";
import { html } from "@partner-connect/service-runtime/html";
import type { FastifyInstance } from "fastify";
import { ENGLISH } from "../browser/locale.ts";
import { contactUs } from "../pages/frame.ts";
import { isolatedName } from "../pages/names.ts";
import { copyableText, pair, type ShowSettings, sendPartnerPage } from "./partner-page.ts";
import { secretsRoutes, secretsView } from "./secrets.route.ts";
import { testShopsRoutes, testShopsView } from "./test-shops.route.ts";

/** The page of a client's registration, secrets and test shops. */
export function settingsRoutes(app: FastifyInstance): void {
  const { pagesSql, config } = app;

  const show: ShowSettings = async (reply, refusal) => {
    const { partner: client } = reply.request;
    const { clientId, redirectUris, scope, name, publisher, website } = client;
    const fact = (what: string, value: string | null) =>
      pair(what, value ? isolatedName(value) : "None");
    const [{ secrets }, shops] = await Promise.all([
      clientDetails(pagesSql, clientId),
      testShopsOf(pagesSql, clientId),
    ]);
    const body = html`<div class="columns"><section class="card whole"><h2>Registration</h2>
<dl class="pairs">
${pair("Client ID", copyableText(clientId))}${pair("Scopes", html`<code>${scope.join(" ")}</code>`)}
${fact("Name", name)}${fact("Publisher", publisher)}${fact("Website", website)}
${fact("Privacy policy", client.privacyPolicy)}${fact("Deletion contact", client.contact)}
${pair("Redirect URIs", html`<ul>${redirectUris.map((uri) => html`<li>${copyableText(uri)}</li>`)}</ul>`)}
</dl>
<p class="fine">${config.supportUrl ? html`We can change these for you. ${contactUs(ENGLISH, config.supportUrl)}` : "Whoever registered your app can change these."}</p></section>
${secretsView(reply, secrets)}
${testShopsView(reply, shops)}</div>`;
    return sendPartnerPage(reply, "settings", { body }, refusal);
  };

  app.get("/settings", (_, reply) => show(reply));
  secretsRoutes(app, show);
  testShopsRoutes(app, show);
}
