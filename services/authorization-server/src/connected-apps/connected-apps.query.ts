import { type ApiUsage, type Connection, listConnections, usageOfShop } from "@partner-connect/connections";
import { type Member, membersOfShops, type OwnShop, type Shop, shopsOfMerchant } from "@partner-connect/directory";
import type { FastifyBaseLogger } from "fastify";
import { beforeDeadline, type PageContext } from "../merchant-page/page-context.ts";
import { readShops } from "../merchant-page/read-shops.ts";

export interface ConnectedShop {
  readonly shop: OwnShop;
  readonly members: readonly Member[];
  /** The newest approval first; null where the shop can't be read now. */
  readonly apps: readonly ConnectedApp[] | null;
}

export interface ConnectedApp {
  readonly connection: Connection;
  readonly usage: ApiUsage | undefined;
}

/** The time that `usage` tells of. */
const USAGE_HOURS = 30 * 24;

/** @throws the fault, if no shop can be read */
export async function connectedShops(
  context: PageContext,
  merchantId: string,
  log: FastifyBaseLogger,
): Promise<ConnectedShop[]> {
  const { sql } = context;
  const shops = await beforeDeadline(shopsOfMerchant(sql, merchantId));
  const ids = shops.map(({ id }) => id);
  const [members, { rows, faults }] = await Promise.all([
    beforeDeadline(membersOfShops(sql, ids)),
    readShops(ids, log, (shopIds) => appsOf(context, shopIds)),
  ]);
  const apps = Map.groupBy(rows, ({ connection }) => connection.shopId);
  return shops.map((shop) => ({
    shop,
    members: members.get(shop.id) ?? [],
    apps: faults.has(shop.id) ? null : (apps.get(shop.id) ?? []),
  }));
}

async function appsOf(context: PageContext, shopIds: readonly string[]): Promise<ConnectedApp[]> {
  const [connections, usage] = await Promise.all([
    connectionsOf(context, shopIds),
    usageOfShop(context.sql, shopIds, USAGE_HOURS),
  ]);
  return connections
    .toSorted((a, b) => b.approvedAt.getTime() - a.approvedAt.getTime())
    .map((connection) => ({ connection, usage: usage.get(connection.id) }));
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
  const connections = await beforeDeadline(connectionsOf(context, [shop.id]));
  const connection = connections.find(({ id }) => id === ids.connectionId);
  return connection ? { shop, connection } : null;
}

/** With a first approval, as long as its code can still make a connection of it. */
const connectionsOf = (context: PageContext, shopIds: readonly string[]) =>
  listConnections(
    context.sql,
    { shopIds, unfinishedSeconds: context.authorizationCodeTtlSeconds },
    context.refreshTokenTtlSeconds,
  );
