import { type Connection, listConnections } from "@partner-connect/connections";
import { type Shop, shopsOfMerchant } from "@partner-connect/directory";
import { beforeDeadline } from "../merchant-page/page-deadline.ts";
import type { ConnectedAppsContext } from "./connected-apps-context.ts";

/** One of the merchant's shops, with every connection that it has or had. */
export interface ConnectedShop {
  readonly shop: Shop;
  readonly connections: readonly Connection[];
}

/** Every query of connections names one shop. */
export async function connectedShops(context: ConnectedAppsContext, merchantId: string): Promise<ConnectedShop[]> {
  const shops = await beforeDeadline(shopsOfMerchant(context.sql, merchantId));
  return await beforeDeadline(Promise.all(shops.map((shop) => withConnections(context, shop))));
}

/** A connection of one of the merchant's own shops; null for any other, and for one that does not exist. */
export async function findOwnConnection(
  context: ConnectedAppsContext,
  merchantId: string,
  ids: { readonly shopId: string; readonly connectionId: string },
): Promise<{ readonly shop: Shop; readonly connection: Connection } | null> {
  const shops = await beforeDeadline(shopsOfMerchant(context.sql, merchantId));
  const shop = shops.find(({ id }) => id === ids.shopId);
  if (!shop) return null;
  const { connections } = await beforeDeadline(withConnections(context, shop));
  const connection = connections.find(({ id }) => id === ids.connectionId);
  return connection ? { shop, connection } : null;
}

async function withConnections(context: ConnectedAppsContext, shop: Shop): Promise<ConnectedShop> {
  return { shop, connections: await listConnections(context.sql, { shopId: shop.id }, context.refreshTokenTtlSeconds) };
}
