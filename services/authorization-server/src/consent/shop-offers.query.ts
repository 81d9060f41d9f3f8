import { listConnections } from "@partner-connect/connections";
import { shopsOfMerchant } from "@partner-connect/directory";
import { beforeDeadline } from "../merchant-page/page-deadline.ts";
import type { ConsentContext } from "./consent-context.ts";
import type { PendingAuthorization } from "./pending-authorization.ts";
import { type ShopOffer, shopOffer } from "./shop-offer.ts";

/** What each of the merchant's shops can grant to the client now. Every query of connections names one shop. */
export async function shopOffers(
  context: ConsentContext,
  merchantId: string,
  pending: PendingAuthorization,
): Promise<ShopOffer[]> {
  const { sql, refreshTokenTtlSeconds } = context;
  const { clientId, scope: clientScope } = pending.client;
  const shops = await beforeDeadline(shopsOfMerchant(sql, merchantId));
  const connections = await beforeDeadline(
    Promise.all(shops.map((shop) => listConnections(sql, { shopId: shop.id, clientId }, refreshTokenTtlSeconds))),
  );
  return shops.map((shop, index) =>
    shopOffer(shop, { requested: pending.scope, clientScope }, connections[index]?.[0] ?? null),
  );
}
