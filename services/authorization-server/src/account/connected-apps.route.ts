import { type Connection, type ListedConnection, listConnections, usageOfShop } from "@partner-connect/connections";
import { type Shop, shopsOfMerchant } from "@partner-connect/directory";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { formField } from "../pages/forms.ts";
import { CONNECTED_APPS_PATH, PARTNER_PATH } from "../pages/paths.ts";
import { readShops } from "../pages/read-shops.ts";
import { rememberedPage } from "../pages/return-paths.ts";
import { redirectTo, sendPage } from "../pages/send-page.ts";
import { signedIn } from "../sign-in/session.ts";
import { type ConnectedShops, connectedAppsView } from "./connected-apps.view.ts";
import { type ShopApps, shopPage } from "./shop-page.ts";

export function connectedAppsRoute(app: FastifyInstance): void {
  // The address alone: a merchant typed it by hand, and looks for her apps.
  app.get("/", (_request, reply) => reply.redirect(CONNECTED_APPS_PATH, 302));

  app.get(CONNECTED_APPS_PATH, { preHandler: signedIn }, async (request, reply) => {
    const { query, merchant } = request;
    const shown = {
      search: formField(query, "find"),
      page: Number(/^\d{1,6}$/.exec(formField(query, "page"))?.[0] ?? 1),
      disconnected: formField(query, "disconnected"),
    };
    const shops = await connectedShops(request, merchant.id, shown);
    const waiting = rememberedPage(request);
    // A partner's person who has no shop looks for the pages of the app.
    if (shops.all === 0 && merchant.isPartner && !waiting) return redirectTo(reply, PARTNER_PATH);
    const view = { ...shops, waiting };
    return sendPage(reply, (locale) => connectedAppsView(view, locale), { account: merchant });
  });
}

/** The time that `usage` tells of. */
const USAGE_HOURS = 30 * 24;

/** @throws the fault, if no shop can be read */
async function connectedShops(
  { server, log }: FastifyRequest,
  merchantId: string,
  shown: { readonly search: string; readonly page: number; readonly disconnected: string },
): Promise<ConnectedShops> {
  const { sql, clients } = server;
  const shops = await shopsOfMerchant(sql, merchantId);
  const ids = shops.map(({ id }) => id);
  const { rows, faults } = await readShops(ids, log, (shopIds) => connectionsOf(server, shopIds));
  const live = rows.filter(({ status }) => status !== "revoked");
  const byShop = Map.groupBy(live, ({ shopId }) => shopId);
  const all = shops.map((shop): ShopApps => ({ shop, apps: faults.has(shop.id) ? null : (byShop.get(shop.id) ?? []) }));
  const page = shopPage(all, shown);

  const read = page.shown.filter(({ apps }) => apps !== null);
  const connections = read.flatMap(({ apps }) => apps ?? []);
  const clientIds = [...new Set(connections.map(({ clientId }) => clientId))];
  const [usage, found] = await Promise.all([
    usageOfShop(
      sql,
      read.map(({ shop }) => shop.id),
      USAGE_HOURS,
    ),
    Promise.all(clientIds.map((clientId) => clients.find(clientId))),
  ]);
  const known = new Map(found.flatMap((client) => (client ? [[client.clientId, client] as const] : [])));
  return {
    ...page,
    disconnected: rows.find(({ id, status }) => id === shown.disconnected && status === "revoked") ?? null,
    apps: new Map(
      connections.map((connection) => [
        connection.id,
        { connection, usage: usage.get(connection.id), client: known.get(connection.clientId) ?? null },
      ]),
    ),
  };
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

/** The newest approval first. With a first approval, as long as its code can still make a connection of it. */
async function connectionsOf(
  { sql, config }: FastifyInstance,
  shopIds: readonly string[],
): Promise<ListedConnection[]> {
  const { authorizationCodeTtl, refreshTokenTtl } = config.tokens;
  const connections = await listConnections(sql, { shopIds, unfinishedSeconds: authorizationCodeTtl }, refreshTokenTtl);
  return connections.sort((a, b) => b.approvedAt.getTime() - a.approvedAt.getTime());
}
