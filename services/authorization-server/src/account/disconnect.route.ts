import { type Connection, revoke } from "@partner-connect/connections";
import type { Shop } from "@partner-connect/directory";
import { noteFacts } from "@partner-connect/service-runtime";
import { type Html, html } from "@partner-connect/service-runtime/html";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { merchantActor } from "../pages/actor.ts";
import { deletion } from "../pages/app-identity.ts";
import { formToken, isOurForm } from "../pages/csrf.ts";
import { notFoundPage } from "../pages/error-page.ts";
import { type ConfirmationForm, confirmation } from "../pages/forms.ts";
import type { Locale } from "../pages/frame.ts";
import { cardPage, notice } from "../pages/frame.ts";
import { named, plainName } from "../pages/names.ts";
import { CONNECTED_APPS_PATH, disconnectPath } from "../pages/paths.ts";
import { redirectTo, sendPage } from "../pages/send-page.ts";
import { signedIn } from "../sign-in/session.ts";
import { findOwnConnection } from "./connected-apps.route.ts";

interface OwnConnection {
  readonly shop: Shop;
  readonly connection: Connection;
}

/** A page that asks for confirmation, then the revocation (spec: revocation on the service side). */
export function disconnectRoute(app: FastifyInstance): void {
  const path = disconnectPath(":shopId", ":connectionId");

  app.get(path, { preHandler: signedIn }, async (request, reply) => {
    const own = await ownConnection(request);
    if (!own) return notFoundPage(reply);
    return own.connection.status === "revoked" ? redirectTo(reply, donePath(own)) : showDisconnectPage(reply, own);
  });

  app.post(path, { preHandler: signedIn }, async (request, reply) => {
    const own = await ownConnection(request);
    if (!own) return notFoundPage(reply);
    const isOurs = isOurForm(request, disconnectPath(own.shop.id, own.connection.id));
    if (!isOurs) return showDisconnectPage(reply, own, 403);
    await disconnect(request, own);
    return redirectTo(reply, donePath(own));
  });
}

/** The connection that the URL names. Another merchant's is not found, like one that does not exist. */
async function ownConnection(request: FastifyRequest): Promise<OwnConnection | null> {
  return await findOwnConnection(request, request.merchant.id, request.params as never);
}

/** Asks for confirmation. If the posted form was out of date, it asks once more, with 403. */
async function showDisconnectPage(reply: FastifyReply, own: OwnConnection, status = 200): Promise<FastifyReply> {
  const { shop, connection } = own;
  const action = disconnectPath(shop.id, connection.id);
  const form = { action, token: formToken(reply, action), back: CONNECTED_APPS_PATH };
  const contact = (await reply.server.clients.find(connection.clientId))?.contact ?? null;
  const page = (locale: Locale) => disconnectView({ ...own, contact }, form, status !== 200, locale);
  return sendPage(reply, page, { status, account: reply.request.merchant });
}

/** Revokes the connection in the merchant's name. A second time changes nothing. */
async function disconnect(request: FastifyRequest, { shop, connection }: OwnConnection): Promise<void> {
  const { merchant, server } = request;
  const ids = { shopId: shop.id, id: connection.id };
  const reason = "disconnected by the merchant";
  const isRevoked = await revoke(server.sql, ids, merchantActor(request, merchant), { reason });
  if (isRevoked) noteFacts(request, { shopId: shop.id, connectionId: connection.id, outcome: "revoked" });
  request.log.info(
    { merchant_id: merchant.id, connection_id: connection.id, shop_id: shop.id },
    "connection disconnected",
  );
}

function donePath({ connection }: OwnConnection): string {
  return `${CONNECTED_APPS_PATH}?disconnected=${connection.id}`;
}

function disconnectView(
  { shop, connection, contact }: OwnConnection & { readonly contact: string | null },
  form: ConfirmationForm,
  isRefused: boolean,
  locale: Locale,
): Html {
  const texts = locale.texts.disconnect;
  const [app, shopName] = [named(connection.clientName), named(shop.name)];
  const isUnfinished = connection.connectedAt === null;
  return cardPage(
    locale,
    { title: texts.title(plainName(connection.clientName)), heading: texts.heading(app, shopName) },
    html`${notice("problem", isRefused && locale.texts.frame.outOfDate)}
<p class="lead">${isUnfinished ? texts.unfinished(app, shopName) : texts.lead(app, shopName)}</p>
${!isUnfinished && html`<ul class="plain">${texts.consequences(app).map((line) => html`<li>${line}</li>`)}</ul>${deletion(contact, locale)}`}
${confirmation(form, locale.texts.connectedApps.disconnect, texts.keep)}`,
  );
}
