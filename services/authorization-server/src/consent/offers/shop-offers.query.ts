import { listConnections } from "@partner-connect/connections";
import { shopsOfMerchant } from "@partner-connect/directory";
import type { FastifyBaseLogger } from "fastify";
import { eachShop } from "../../merchant-page/each-shop.ts";
import { beforeDeadline } from "../../merchant-page/page-deadline.ts";
import type { ConsentContext } from "../consent-context.ts";
import type { OpenAuthorization } from "../request/sealed-request.ts";
import { isSelectable, type ShopOffer, shopOffer, unreadOffer } from "./shop-offer.ts";

/**
 * What each of the merchant's shops can grant to the client now. Every query of connections names one shop.
 * @throws the fault, if some shop can't be read and no other can be chosen
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
  const shops = await beforeDeadline(shopsOfMerchant(sql, merchantId));
  const connections = await eachShop(shops, log, ({ id: shopId }) =>
    listConnections(sql, { shopId, clientId }, refreshTokenTtlSeconds),
  );
  const offers = shops.map((shop, index) => {
    const read = connections[index];
    return read?.status === "fulfilled" ? shopOffer(shop, asking, read.value[0] ?? null) : unreadOffer(shop, asking);
  });
  const away = connections[offers.findIndex(({ obstacle }) => obstacle === "away")];
  if (away?.status === "rejected" && !offers.some(isSelectable)) throw away.reason;
  return offers;
}
