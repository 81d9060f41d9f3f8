import { type Connection, revoke } from "@partner-connect/connections";
import type { Merchant, Shop } from "@partner-connect/directory";
import { noteFacts } from "@partner-connect/service-runtime";
import { type Html, html } from "@partner-connect/service-runtime/html";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { deletion } from "../pages/app-identity.view.ts";
import { type ConfirmationForm, confirmation } from "../pages/confirmation.view.ts";
import { notFoundPage } from "../pages/error-page.ts";
import { cardPage, notice } from "../pages/layout.ts";
import type { Locale } from "../pages/locale.ts";
import { named, plainName } from "../pages/name.ts";
import { merchantActor, type PageContext } from "../pages/page-context.ts";
import { CONNECTED_APPS_PATH } from "../pages/paths.ts";
import { redirectTo, sendMerchantPage } from "../pages/send-merchant-page.ts";
import { signInFirst } from "../pages/sign-in-first.ts";
import { stepRoutes } from "../pages/step-routes.ts";
import { findOwnConnection } from "./connected-apps.query.ts";

const DISCONNECT_PATTERN = disconnectPath(":shopId", ":connectionId");

interface OwnConnection {
  readonly merchant: Merchant;
  readonly shop: Shop;
  readonly connection: Connection;
}

/** A page that asks for confirmation, then the revocation (spec: revocation on the service side). */
export function disconnectRoute(app: FastifyInstance, context: PageContext): void {
  const steps = stepRoutes(app, (request, reply) => ownConnection(context, request, reply));

  steps.get(DISCONNECT_PATTERN, (_, reply, own) => {
    const isDone = own.connection.status === "revoked";
    return isDone ? redirectTo(reply, donePath(own)) : showDisconnectPage(context, reply, own);
  });

  steps.post(DISCONNECT_PATTERN, async (_, reply, own) => {
    const isOurForm = context.formTokens.isValid(reply.request, disconnectPath(own.shop.id, own.connection.id));
    if (!isOurForm) return showDisconnectPage(context, reply, own, 403);
    await disconnect(context, reply.request, own);
    return redirectTo(reply, donePath(own));
  });
}

/** The connection that the URL names. Another merchant's is not found, like one that does not exist. Null: it has answered. */
async function ownConnection(
  context: PageContext,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<OwnConnection | null> {
  const merchant = await context.signIn.merchant(request);
  const ids = request.params as { shopId: string; connectionId: string };
  const found = merchant && (await findOwnConnection(context, merchant.id, ids));
  if (found) return { merchant, ...found };
  if (merchant) notFoundPage(reply);
  else signInFirst(context, reply);
  return null;
}

/** Asks for confirmation. If the posted form was out of date, it asks once more, with 403. */
async function showDisconnectPage(
  context: PageContext,
  reply: FastifyReply,
  own: OwnConnection,
  status = 200,
): Promise<FastifyReply> {
  const { merchant, shop, connection } = own;
  const action = disconnectPath(shop.id, connection.id);
  const form = { action, token: context.formTokens.issue(reply, action), back: CONNECTED_APPS_PATH };
  const account = context.signIn.account(reply, merchant);
  const contact = (await context.findClient(connection.clientId))?.contact ?? null;
  const page = (locale: Locale) => disconnectView({ ...own, contact }, form, status !== 200, locale);
  return sendMerchantPage(reply, page, { status, account });
}

/** Revokes the connection in the merchant's name. A second time changes nothing. */
async function disconnect({ sql }: PageContext, request: FastifyRequest, own: OwnConnection): Promise<void> {
  const { merchant, shop, connection } = own;
  const ids = { shopId: shop.id, id: connection.id };
  const reason = "disconnected by the merchant";
  const isRevoked = await revoke(sql, ids, merchantActor(request, merchant), { reason });
  if (isRevoked) noteFacts(request, { shopId: shop.id, connectionId: connection.id, outcome: "revoked" });
  request.log.info(
    { merchant_id: merchant.id, connection_id: connection.id, shop_id: shop.id },
    "connection disconnected",
  );
}

function donePath({ connection }: OwnConnection): string {
  return `${CONNECTED_APPS_PATH}?disconnected=${connection.id}`;
}

export function disconnectPath(shopId: string, connectionId: string): string {
  return `${CONNECTED_APPS_PATH}/${shopId}/${connectionId}/disconnect`;
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
