import { listConnections } from "@partner-connect/connections";
import { within } from "@partner-connect/database";
import { shopsOfMerchant } from "@partner-connect/directory";
import { DATABASE_DEADLINE_MS, type MerchantContext } from "../merchant-page/merchant-context.ts";
import type { PendingAuthorization } from "./pending-authorization.ts";
import { type ShopOffer, shopOffer } from "./shop-offer.ts";

/** What each of the merchant's shops can give to the client that asks, as things are now. Every query names one shop. */
export async function shopOffers(
  context: MerchantContext,
  merchantId: string,
  pending: PendingAuthorization,
): Promise<ShopOffer[]> {
  const { sql, refreshTokenTtlSeconds } = context;
  const { clientId, scope: clientScope } = pending.client;
  const shops = await within(DATABASE_DEADLINE_MS, shopsOfMerchant(sql, merchantId));
  const connections = await within(
    DATABASE_DEADLINE_MS,
    Promise.all(shops.map((shop) => listConnections(sql, { shopId: shop.id, clientId }, refreshTokenTtlSeconds))),
  );
  return shops.map((shop, index) =>
    shopOffer(shop, { requested: pending.scope, clientScope }, connections[index]?.[0] ?? null),
  );
}
