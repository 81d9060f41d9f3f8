import { type Connection, revoke } from "@partner-connect/connections";
import { type Client, type Shop, shopsOfMerchant } from "@partner-connect/directory";
import { noteFacts } from "@partner-connect/service-runtime";
import { type Html, type HtmlValue, html } from "@partner-connect/service-runtime/html";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { merchantActor } from "../actor.ts";
import { browserSecretOrNew, formToken, isOurForm } from "../browser/csrf.ts";
import { deletionContact, publisherFacts, scopeFact, statusTag } from "../pages/app-identity.ts";
import { sendNotFoundPage } from "../pages/error-page.ts";
import { confirmation } from "../pages/forms.ts";
import { cardPage, contactUs, type Locale, notice } from "../pages/frame.ts";
import { exactTime, moment } from "../pages/moment.ts";
import { address, appIcon, isolatedName, plainName } from "../pages/names.ts";
import { CONNECTED_APPS_PATH, connectionPath, disconnectPath } from "../pages/paths.ts";
import { redirectTo, sendPage } from "../pages/send-page.ts";
import { requireSignIn } from "../sign-in/session.ts";
import { connectionsOf, endButtonLabel, explainedStatus } from "./connected-apps.route.ts";

interface OwnConnection {
  readonly shop: Shop;
  readonly connection: Connection;
}

/** A connection's page, and the page that asks for confirmation and ends the connection. */
export function connectionRoute(app: FastifyInstance): void {
  app.get(
    connectionPath(":shopId", ":connectionId"),
    { preHandler: requireSignIn },
    async (request, reply) => {
      const own = await ownConnection(request);
      if (!own) return sendNotFoundPage(reply);
      if (own.connection.status === "revoked") return redirectTo(reply, donePath(own));
      const client = await app.clients.find(own.connection.clientId);
      return sendPage(reply, (locale) => connectionView(own, client, locale), {
        account: request.merchant,
      });
    },
  );

  const path = disconnectPath(":shopId", ":connectionId");

  app.get(path, { preHandler: requireSignIn }, async (request, reply) => {
    const own = await ownConnection(request);
    if (!own) return sendNotFoundPage(reply);
    return own.connection.status === "revoked"
      ? redirectTo(reply, donePath(own))
      : showDisconnectPage(reply, own);
  });

  app.post(
    path,
    { config: { counts: "account_pages" }, preHandler: requireSignIn },
    async (request, reply) => {
      const own = await ownConnection(request);
      if (!own) return sendNotFoundPage(reply);
      const isOurs = isOurForm(request, disconnectPath(own.shop.id, own.connection.id));
      if (!isOurs) return showDisconnectPage(reply, own, 403);
      await disconnect(request, own);
      return redirectTo(reply, donePath(own));
    },
  );
}

/** The connection that the URL names. Another merchant's connection is not found. */
async function ownConnection({
  server,
  merchant,
  params,
}: FastifyRequest): Promise<OwnConnection | null> {
  const { shopId, connectionId } = params as Readonly<Record<"shopId" | "connectionId", string>>;
  const shop = (await shopsOfMerchant(server.pagesSql, merchant.id)).find(
    ({ id }) => id === shopId,
  );
  const connections = shop ? await connectionsOf(server, [shop.id]) : [];
  const connection = connections.find(({ id }) => id === connectionId);
  return shop && connection ? { shop, connection } : null;
}

/** Asks for confirmation. With 403 it asks again, because the posted form was out of date. */
async function showDisconnectPage(reply: FastifyReply, own: OwnConnection, status = 200) {
  const { shop, connection } = own;
  const client = await reply.server.clients.find(connection.clientId);
  const action = disconnectPath(shop.id, connection.id);
  const token = formToken(browserSecretOrNew(reply), action);
  const form = { action, token, back: CONNECTED_APPS_PATH };
  const page = (locale: Locale) => {
    const { disconnect: texts, frame } = locale.texts;
    const { clientName } = connection;
    const title = endButtonLabel(connection.status, locale);
    const [question, lead] =
      connection.status === "expired"
        ? [texts.removal, texts.removalLead]
        : [texts.heading, texts.lead];
    const heading = question(isolatedName(clientName), isolatedName(shop.name));
    const content = html`${notice("caution", status !== 200 && frame.outOfDate)}
<p class="lead">${lead}</p>
${client?.contact && html`<p class="fine">${deletionContact(client, locale)}</p>`}
${confirmation(form, title, texts.keep)}`;
    return cardPage(locale, { title, heading }, content);
  };
  return sendPage(reply, page, { status, account: reply.request.merchant });
}

/** Revokes the connection in the merchant's name. A second time changes nothing. */
async function disconnect(request: FastifyRequest, { shop, connection }: OwnConnection) {
  const { merchant, server } = request;
  const ids = { shopId: shop.id, id: connection.id };
  const actor = merchantActor(request, merchant);
  const reason = "disconnected by the merchant";
  const isRevoked = await revoke(server.pagesSql, ids, actor, { reason });
  if (isRevoked)
    noteFacts(request, { shopId: shop.id, connectionId: connection.id, outcome: "revoked" });
  const facts = { merchant_id: merchant.id, connection_id: connection.id, shop_id: shop.id };
  request.log.info(facts, "connection disconnected");
}

function donePath({ connection }: OwnConnection): string {
  return `${CONNECTED_APPS_PATH}?disconnected=${connection.id}`;
}

function connectionView(
  { shop, connection }: OwnConnection,
  client: Client | null,
  locale: Locale,
): Html {
  const { id, status, scope, clientName, connectedAt, lastUsedAt, expiresAt } = connection;
  const approval = html`${isolatedName(connection.merchantName)} <span class="fine">${exactTime(connection.approvedAt, locale)}</span>`;
  const { consent, connectedApps: texts } = locale.texts;
  const fact = (name: string, value: HtmlValue) =>
    html`<div><dt>${name}</dt><dd>${value}</dd></div>`;
  return cardPage(
    locale,
    {
      title: plainName(clientName),
      icon: html`<p class="fine"><a href="${CONNECTED_APPS_PATH}">‹ ${texts.title}</a></p>`,
      heading: html`${appIcon({ name: clientName, logoPath: client?.logoPath ?? null })}<span>${texts.at(isolatedName(clientName), isolatedName(shop.name))}</span>`,
    },
    html`<p class="lead fine">${shop.domain !== null && address(shop.domain)} ${status === "connected" ? statusTag(status, locale) : explainedStatus(status, locale)}</p>
${(status === "approved" || status === "expired") && html`<p class="lead">${texts.howToConnect}</p>`}
${status === "disabled" && html`<p class="lead">${consent.paused(locale.frame.productName)} ${contactUs(locale, locale.frame.links.contact)}</p>`}
${client && publisherFacts(client, locale)}
<h2 class="next">${texts.permissions}</h2>
<ul class="facts">${scope.map((value) => scopeFact(value, null, locale, shop.plan))}</ul>
<dl class="pairs">
${lastUsedAt !== null && fact(texts.lastUsed, moment(lastUsedAt, locale))}
${fact(texts.approvedBy, approval)}
${connectedAt !== null && fact(texts.status.connected, moment(connectedAt, locale))}
${status === "connected" && expiresAt !== null && fact(texts.expires, moment(expiresAt, locale))}
</dl>
${client?.contact && html`<p class="fine">${deletionContact(client, locale)}</p>`}
<form method="get" action="${disconnectPath(shop.id, id)}" class="aside"><button>${endButtonLabel(status, locale)}</button></form>`,
  );
}
