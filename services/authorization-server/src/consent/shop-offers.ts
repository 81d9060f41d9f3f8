import { type Connection, listConnections } from "@partner-connect/connections";
import { grantableScope, type Scope } from "@partner-connect/contract";
import { type Shop, shopsOfMerchant } from "@partner-connect/directory";
import type { FastifyRequest } from "fastify";

/** What each of the merchant's shops can grant to the client now. */
export async function shopOffers(
  { authorization, server }: FastifyRequest,
  merchantId: string,
): Promise<ShopOffer[]> {
  const { pagesSql, config } = server;
  const { refreshTokenTtl } = config.tokens;
  const { clientId, scope: clientScope } = authorization.client;
  const asking = { requested: authorization.scope, clientScope };
  const shops = await shopsOfMerchant(pagesSql, merchantId);
  const shopIds = shops.map(({ id }) => id);
  const rows = await listConnections(pagesSql, { shopIds, clientId }, refreshTokenTtl);
  const connections = new Map(rows.map((connection) => [connection.shopId, connection]));
  return shops.map((shop) => shopOffer(shop, asking, connections.get(shop.id) ?? null));
}

export interface ShopOffer {
  readonly shop: Shop;
  /** The scope that an approval would grant, in the requested order. */
  readonly scope: readonly Scope[];
  /** Requested scopes that the shop's plan does not include. */
  readonly unavailable: readonly Scope[];
  /** Why the shop can't be chosen. */
  readonly obstacle: "disabled" | "nothing_to_grant" | null;
  /** The client's live connection with this shop, which an approval would replace. */
  readonly replaced: Connection | null;
  readonly dropped: readonly Scope[];
  readonly added: readonly Scope[];
}

export function isSelectable(offer: ShopOffer): boolean {
  return offer.obstacle === null;
}

/** `connection`: the client's with this shop, in any status; null if it was never connected. */
export function shopOffer(
  shop: Shop,
  asking: Readonly<Record<"requested" | "clientScope", readonly Scope[]>>,
  connection: Connection | null,
): ShopOffer {
  const scope = grantableScope(asking.requested, asking.clientScope, shop.plan);
  const isDisabled = connection?.status === "disabled";
  const live = connection?.status === "connected" ? connection : null;
  return {
    shop,
    scope,
    unavailable: asking.requested.filter(
      (value) => asking.clientScope.includes(value) && !scope.includes(value),
    ),
    obstacle: isDisabled ? "disabled" : scope.length === 0 ? "nothing_to_grant" : null,
    replaced: live,
    dropped: live ? live.scope.filter((value) => !scope.includes(value)) : [],
    added: live ? scope.filter((value) => !live.scope.includes(value)) : [],
  };
}

/** The name of the form field with the scope that the page showed for a shop. */
export const shownField = (shopId: string): string => `shown-${shopId}`;

/** The shown scopes that can still be granted: an approval may grant fewer, but never others. */
export function shownScope(offer: ShopOffer, posted: string): readonly Scope[] {
  const shown = posted.split(" ");
  return offer.scope.filter((value) => shown.includes(value));
}
