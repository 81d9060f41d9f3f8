import { listConnections } from "@partner-connect/connections";
import { shopsOfMerchant } from "@partner-connect/directory";
import type { FastifyBaseLogger } from "fastify";
import { readShops } from "../pages/read-shops.ts";
import type { ConsentContext } from "./consent-context.ts";
import type { OpenAuthorization } from "./sealed-request.ts";
import { isSelectable, type ShopOffer, shopOffer, unreadOffer } from "./shop-offer.ts";

/**
 * What each of the merchant's shops can grant to the client now. @throws the fault, if some shop can't be read and no other can be chosen
 */
export async function shopOffers(
  context: ConsentContext,
  merchantId: string,
  authorization: OpenAuthorization,
  log: FastifyBaseLogger,
): Promise<ShopOffer[]> {
  const { sql, refreshTokenTtlSeconds } = context;
  const { clientId, scope: clientScope } = authorization.client;
  const asking = { requested: authorization.scope, clientScope };
  const shops = await shopsOfMerchant(sql, merchantId);
  const { rows, faults } = await readShops(
    shops.map(({ id }) => id),
    log,
    (shopIds) => listConnections(sql, { shopIds, clientId }, refreshTokenTtlSeconds),
  );
  const connections = new Map(rows.map((connection) => [connection.shopId, connection]));
  const offers = shops.map((shop) =>
    faults.has(shop.id) ? unreadOffer(shop, asking) : shopOffer(shop, asking, connections.get(shop.id) ?? null),
  );
  const away = offers.find(({ obstacle }) => obstacle === "away");
  if (away && !offers.some(isSelectable)) throw faults.get(away.shop.id);
  return offers;
}
