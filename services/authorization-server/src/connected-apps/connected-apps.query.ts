import { type ApiUsage, type Connection, listConnections, usageOfShop } from "@partner-connect/connections";
import { type Member, membersOfShops, type OwnShop, type Shop, shopsOfMerchant } from "@partner-connect/directory";
import { beforeDeadline } from "../merchant-page/page-deadline.ts";
import type { ConnectedAppsContext } from "./connected-apps-context.ts";

/** One of the merchant's shops, with every connection that it has or had. */
export interface ConnectedShop {
  readonly shop: OwnShop;
  readonly members: readonly Member[];
  /** The newest approval first. */
  readonly connections: readonly Connection[];
  /** What was read lately, by the connection's id; missing where nothing was. */
  readonly usage: ReadonlyMap<string, ApiUsage>;
}

/** The time that `usage` tells of. */
const USAGE_HOURS = 30 * 24;

/** Every query of connections and of their usage names one shop. */
export async function connectedShops(context: ConnectedAppsContext, merchantId: string): Promise<ConnectedShop[]> {
  const { sql } = context;
  const shops = await beforeDeadline(shopsOfMerchant(sql, merchantId));
  const members = membersOfShops(
    sql,
    shops.map(({ id }) => id),
  );
  const connected = shops.map(async (shop): Promise<ConnectedShop> => {
    const [{ connections }, usage] = await Promise.all([
      withConnections(context, shop),
      usageOfShop(sql, shop.id, USAGE_HOURS),
    ]);
    const newest = connections.toSorted((a, b) => b.approvedAt.getTime() - a.approvedAt.getTime());
    return { shop, connections: newest, usage, members: (await members).get(shop.id) ?? [] };
  });
  return await beforeDeadline(Promise.all(connected));
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

async function withConnections(context: ConnectedAppsContext, shop: Shop) {
  return { shop, connections: await listConnections(context.sql, { shopId: shop.id }, context.refreshTokenTtlSeconds) };
}
