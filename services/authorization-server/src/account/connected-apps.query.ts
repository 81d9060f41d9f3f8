import {
  type ApiUsage,
  type Connection,
  type ListedConnection,
  listConnections,
  usageOfShop,
} from "@partner-connect/connections";
import { type Client, type Shop, shopsOfMerchant } from "@partner-connect/directory";
import type { FastifyBaseLogger } from "fastify";
import type { PageContext } from "../pages/page-context.ts";
import { readShops } from "../pages/read-shops.ts";
import { type ShopApps, type ShopPage, shopPage } from "./shop-page.ts";

export interface ConnectedApp {
  readonly connection: Connection;
  readonly usage: ApiUsage | undefined;
  readonly client: Client | null;
}

export interface ConnectedShops extends ShopPage {
  /** The merchant's own connection with the id that was asked for, if it is disconnected. */
  readonly disconnected: ListedConnection | null;
  /** What is shown of a connection, by its id. */
  readonly apps: ReadonlyMap<string, ConnectedApp>;
}

/** The time that `usage` tells of. */
const USAGE_HOURS = 30 * 24;

/** @throws the fault, if no shop can be read */
export async function connectedShops(
  context: PageContext,
  merchantId: string,
  shown: { readonly search: string; readonly page: number; readonly disconnected: string },
  log: FastifyBaseLogger,
): Promise<ConnectedShops> {
  const { sql, findClient } = context;
  const shops = await shopsOfMerchant(sql, merchantId);
  const ids = shops.map(({ id }) => id);
  const { rows, faults } = await readShops(ids, log, (shopIds) => connectionsOf(context, shopIds));
  const live = rows.filter(({ status }) => status !== "revoked");
  const byShop = Map.groupBy(live, ({ shopId }) => shopId);
  const all = shops.map((shop): ShopApps => ({ shop, apps: faults.has(shop.id) ? null : (byShop.get(shop.id) ?? []) }));
  const page = shopPage(all, shown);

  const read = page.shown.filter(({ apps }) => apps !== null);
  const connections = read.flatMap(({ apps }) => apps ?? []);
  const clientIds = [...new Set(connections.map(({ clientId }) => clientId))];
  const [usage, clients] = await Promise.all([
    usageOfShop(
      sql,
      read.map(({ shop }) => shop.id),
      USAGE_HOURS,
    ),
    Promise.all(clientIds.map((clientId) => findClient(clientId))),
  ]);
  const known = new Map(clients.flatMap((client) => (client ? [[client.clientId, client] as const] : [])));
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
  context: PageContext,
  merchantId: string,
  ids: { readonly shopId: string; readonly connectionId: string },
): Promise<{ readonly shop: Shop; readonly connection: Connection } | null> {
  const shops = await shopsOfMerchant(context.sql, merchantId);
  const shop = shops.find(({ id }) => id === ids.shopId);
  if (!shop) return null;
  const connections = await connectionsOf(context, [shop.id]);
  const connection = connections.find(({ id }) => id === ids.connectionId);
  return connection ? { shop, connection } : null;
}

/** The newest approval first. With a first approval, as long as its code can still make a connection of it. */
async function connectionsOf(
  { sql, authorizationCodeTtlSeconds, refreshTokenTtlSeconds }: PageContext,
  shopIds: readonly string[],
): Promise<ListedConnection[]> {
  const filter = { shopIds, unfinishedSeconds: authorizationCodeTtlSeconds };
  const connections = await listConnections(sql, filter, refreshTokenTtlSeconds);
  return connections.sort((a, b) => b.approvedAt.getTime() - a.approvedAt.getTime());
}
