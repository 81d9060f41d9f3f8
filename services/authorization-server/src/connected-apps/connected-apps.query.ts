import { type ApiUsage, type Connection, listConnections, usageOfShop } from "@partner-connect/connections";
import { type Member, membersOfShops, type OwnShop, type Shop, shopsOfMerchant } from "@partner-connect/directory";
import type { FastifyBaseLogger } from "fastify";
import { eachShop } from "../merchant-page/each-shop.ts";
import type { PageContext } from "../merchant-page/page-context.ts";
import { beforeDeadline } from "../merchant-page/page-deadline.ts";

/** One of the merchant's shops, with every connection that it has or had. */
export interface ConnectedShop {
  readonly shop: OwnShop;
  readonly members: readonly Member[];
  /** Null where the shop can't be read now. */
  readonly apps: ShopApps | null;
}

export interface ShopApps {
  /** The newest approval first. */
  readonly connections: readonly Connection[];
  /** What was read lately, by the connection's id; missing where nothing was. */
  readonly usage: ReadonlyMap<string, ApiUsage>;
}

/** The time that `usage` tells of. */
const USAGE_HOURS = 30 * 24;

/** Every query of connections and of their usage names one shop. */
export async function connectedShops(
  context: PageContext,
  merchantId: string,
  log: FastifyBaseLogger,
): Promise<ConnectedShop[]> {
  const { sql } = context;
  const shops = await beforeDeadline(shopsOfMerchant(sql, merchantId));
  const ids = shops.map(({ id }) => id);
  const [members, apps] = await Promise.all([
    beforeDeadline(membersOfShops(sql, ids)),
    eachShop(shops, log, (shop) => appsOf(context, shop)),
  ]);
  return shops.map((shop, index) => {
    const read = apps[index];
    return { shop, members: members.get(shop.id) ?? [], apps: read?.status === "fulfilled" ? read.value : null };
  });
}

async function appsOf(context: PageContext, shop: Shop): Promise<ShopApps> {
  const [connections, usage] = await Promise.all([
    connectionsOf(context, shop.id),
    usageOfShop(context.sql, shop.id, USAGE_HOURS),
  ]);
  return { connections: connections.toSorted((a, b) => b.approvedAt.getTime() - a.approvedAt.getTime()), usage };
}

/** A connection of one of the merchant's own shops; null for any other, and for one that does not exist. */
export async function findOwnConnection(
  context: PageContext,
  merchantId: string,
  ids: { readonly shopId: string; readonly connectionId: string },
): Promise<{ readonly shop: Shop; readonly connection: Connection } | null> {
  const shops = await beforeDeadline(shopsOfMerchant(context.sql, merchantId));
  const shop = shops.find(({ id }) => id === ids.shopId);
  if (!shop) return null;
  const connections = await beforeDeadline(connectionsOf(context, shop.id));
  const connection = connections.find(({ id }) => id === ids.connectionId);
  return connection ? { shop, connection } : null;
}

/** With a first approval, as long as its code can still make a connection of it. */
const connectionsOf = (context: PageContext, shopId: string) =>
  listConnections(
    context.sql,
    { shopId, unfinishedSeconds: context.authorizationCodeTtlSeconds },
    context.refreshTokenTtlSeconds,
  );
