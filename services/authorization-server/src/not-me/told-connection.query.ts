import { type Connection, listConnections } from "@partner-connect/connections";
import { type NotMe, type Shop, shopsOfMerchant } from "@partner-connect/directory";
import type { PageContext } from "../merchant-page/page-context.ts";

/** A connection of a shop that the merchant still belongs to. */
export interface ToldConnection {
  readonly shop: Shop;
  readonly connection: Connection;
}

/** Null: the merchant has left the shop, or the connection is forgotten. */
export async function findTold(
  { sql, ...times }: PageContext,
  { merchant }: NotMe,
  { shopId, id }: NonNullable<NotMe["connection"]>,
): Promise<ToldConnection | null> {
  const shop = (await shopsOfMerchant(sql, merchant.id)).find((own) => own.id === shopId);
  if (!shop) return null;
  const filter = { shopIds: [shopId], unfinishedSeconds: times.authorizationCodeTtlSeconds };
  const connections = await listConnections(sql, filter, times.refreshTokenTtlSeconds);
  const connection = connections.find((each) => each.id === id);
  return connection ? { shop, connection } : null;
}
