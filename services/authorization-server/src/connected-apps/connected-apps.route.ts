import type { FastifyInstance } from "fastify";
import { redirectTo, sendMerchantPage } from "../merchant-page/frame/send-merchant-page.ts";
import type { PageContext } from "../merchant-page/page-context.ts";
import { CONNECTED_APPS_PATH, SIGN_IN_PATH } from "../merchant-page/paths.ts";
import { type ConnectedShop, connectedShops } from "./connected-apps.query.ts";
import { connectedAppsView } from "./connected-apps.view.ts";

interface Query {
  readonly disconnected?: unknown;
  readonly joined?: unknown;
}

export function connectedAppsRoute(app: FastifyInstance, context: PageContext): void {
  // The address alone: a merchant typed it by hand, and looks for her apps.
  app.get("/", (_request, reply) => reply.redirect(CONNECTED_APPS_PATH, 302));

  app.get<{ Querystring: Query }>(CONNECTED_APPS_PATH, async (request, reply) => {
    const merchant = await context.signIn.merchant(request);
    if (!merchant) return redirectTo(reply, SIGN_IN_PATH);
    const shops = await connectedShops(context, merchant.id, request.log);
    const view = {
      shops,
      disconnected: justDisconnected(shops, request.query.disconnected),
      joined: shops.find(({ shop }) => shop.id === request.query.joined)?.shop.name ?? null,
    };
    const account = context.signIn.account(reply, merchant);
    return sendMerchantPage(reply, (locale) => connectedAppsView(view, locale), { account });
  });
}

/** The app and the shop of the merchant's own connection with this id, if it really is disconnected. */
function justDisconnected(shops: readonly ConnectedShop[], id: unknown): { app: string; shop: string } | null {
  for (const { shop, apps } of shops) {
    const found = apps?.find(({ connection }) => connection.id === id && connection.status === "revoked");
    if (found) return { app: found.connection.clientName, shop: shop.name };
  }
  return null;
}
