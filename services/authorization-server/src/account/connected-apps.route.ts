import { type Connection, type ListedConnection, listConnections } from "@partner-connect/connections";
import { type Shop, shopsOfMerchant } from "@partner-connect/directory";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { formField } from "../pages/forms.ts";
import { CONNECTED_APPS_PATH, PARTNER_PATH } from "../pages/paths.ts";
import { readShops } from "../pages/read-shops.ts";
import { rememberedPage } from "../pages/return-paths.ts";
import { redirectTo, sendPage } from "../pages/send-page.ts";
import { pageNumber } from "../pages/shop-list.ts";
import { signedIn } from "../sign-in/session.ts";
import { connectedAppsView } from "./connected-apps.view.ts";

export function connectedAppsRoute(app: FastifyInstance): void {
  // The address alone: a merchant typed it by hand, and looks for her apps.
  app.get("/", (_request, reply) => reply.redirect(CONNECTED_APPS_PATH, 302));

  app.get(CONNECTED_APPS_PATH, { preHandler: signedIn }, async (request, reply) => {
    const { query, merchant, server, log } = request;
    const shops = await shopsOfMerchant(server.sql, merchant.id);
    const waiting = rememberedPage(request);
    // A partner's person who has no shop looks for the pages of the app.
    if (shops.length === 0 && merchant.isPartner && !waiting) return redirectTo(reply, PARTNER_PATH);
    const ids = shops.map(({ id }) => id);
    const { rows, faults } = await readShops(ids, log, (shopIds) => connectionsOf(server, shopIds));
    const live = rows.filter(({ status }) => status !== "revoked");
    const clientIds = [...new Set(live.map(({ clientId }) => clientId))];
    const found = await Promise.all(clientIds.map((clientId) => server.clients.find(clientId)));
    const disconnected = formField(query, "disconnected");
    const view = {
      waiting,
      hasShops: shops.length > 0,
      connections: live,
      away: shops.filter(({ id }) => faults.has(id)),
      logos: new Map(found.flatMap((client) => (client ? [[client.clientId, client.logoPath]] : []))),
      disconnected: rows.find(({ id, status }) => id === disconnected && status === "revoked") ?? null,
      search: formField(query, "find"),
      page: pageNumber(formField(query, "page")),
    };
    return sendPage(reply, (locale) => connectedAppsView(view, locale), { account: merchant });
  });
}

/** A connection of one of the merchant's own shops; null for any other, and for one that does not exist. */
export async function findOwnConnection(
  { server }: FastifyRequest,
  merchantId: string,
  ids: { readonly shopId: string; readonly connectionId: string },
): Promise<{ readonly shop: Shop; readonly connection: Connection } | null> {
  const shops = await shopsOfMerchant(server.sql, merchantId);
  const shop = shops.find(({ id }) => id === ids.shopId);
  if (!shop) return null;
  const connections = await connectionsOf(server, [shop.id]);
  const connection = connections.find(({ id }) => id === ids.connectionId);
  return connection ? { shop, connection } : null;
}

/** With a first approval, as long as its code can still make a connection of it. */
async function connectionsOf(
  { sql, config }: FastifyInstance,
  shopIds: readonly string[],
): Promise<ListedConnection[]> {
  const { authorizationCodeTtl, refreshTokenTtl } = config.tokens;
  return await listConnections(sql, { shopIds, unfinishedSeconds: authorizationCodeTtl }, refreshTokenTtl);
}
