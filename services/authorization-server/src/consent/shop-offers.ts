import { type Connection, listConnections } from "@partner-connect/connections";
import { grantableScope, isScope, type Scope } from "@partner-connect/contract";
import { type Shop, shopsOfMerchant } from "@partner-connect/directory";
import type { FastifyRequest } from "fastify";
import { formField } from "../pages/forms.ts";
import { readShops } from "../pages/read-shops.ts";

/**
 * What each of the merchant's shops can grant to the client now. @throws the fault, if some shop can't be read and no other can be chosen
 */
export async function shopOffers(
  { authorization, server, log }: FastifyRequest,
  merchantId: string,
): Promise<ShopOffer[]> {
  const { sql, config } = server;
  const { clientId, scope: clientScope } = authorization.client;
  const asking = { requested: authorization.scope, clientScope };
  const shops = await shopsOfMerchant(sql, merchantId);
  const { rows, faults } = await readShops(
    shops.map(({ id }) => id),
    log,
    (shopIds) => listConnections(sql, { shopIds, clientId }, config.tokens.refreshTokenTtl),
  );
  const connections = new Map(rows.map((connection) => [connection.shopId, connection]));
  const offers = shops.map((shop) =>
    faults.has(shop.id) ? unreadOffer(shop, asking) : shopOffer(shop, asking, connections.get(shop.id) ?? null),
  );
  const away = offers.find(({ obstacle }) => obstacle === "away");
  if (away && !offers.some(isSelectable)) throw faults.get(away.shop.id);
  return offers;
}

export interface ShopOffer {
  readonly shop: Shop;
  /** What an approval would grant, in the order requested. */
  readonly scope: readonly Scope[];
  /** Requested, but not part of the shop's plan. */
  readonly unavailable: readonly Scope[];
  /** Why the shop can't be chosen. */
  readonly obstacle: "held" | "nothing_to_grant" | "away" | null;
  /** The client's live connection with this shop, which an approval would replace. */
  readonly connection: Connection | null;
  readonly dropped: readonly Scope[];
  readonly added: readonly Scope[];
}

export interface Asking {
  readonly requested: readonly Scope[];
  readonly clientScope: readonly Scope[];
}

export function isSelectable(offer: ShopOffer): boolean {
  return offer.obstacle === null;
}

/** `connection` is the client's connection with this shop, in any status; null if there never was one. */
export function shopOffer(shop: Shop, asking: Asking, connection: Connection | null): ShopOffer {
  const scope = grantableScope(asking.requested, asking.clientScope, shop.plan);
  const held = connection?.status === "disabled";
  const live = connection?.status === "connected" ? connection : null;
  return {
    shop,
    scope,
    unavailable: asking.requested.filter((value) => asking.clientScope.includes(value) && !scope.includes(value)),
    obstacle: held ? "held" : scope.length === 0 ? "nothing_to_grant" : null,
    connection: live,
    dropped: live ? live.scope.filter((value) => !scope.includes(value)) : [],
    added: live ? scope.filter((value) => !live.scope.includes(value)) : [],
  };
}

function unreadOffer(shop: Shop, asking: Asking): ShopOffer {
  const offer = shopOffer(shop, asking, null);
  return offer.obstacle === null ? { ...offer, obstacle: "away" } : offer;
}

/** What the page posts for a shop: its id and the scope that the merchant was shown. An approval grants no more than that. */
export function offerValue(offer: ShopOffer): string {
  return [offer.shop.id, ...offer.scope].join(" ");
}

/** The field of an optional scope, which is sent if the merchant allows it. */
export function optionalField(value: Scope): string {
  return `allow.${value}`;
}

/** The field that names the optional scopes that the form showed. */
export const OPTIONAL_SHOWN = "optional";

/** What the merchant left out of the scope that a posted form shows. */
export function leftOut(body: unknown): Scope[] {
  const shown = formField(body, OPTIONAL_SHOWN).split(" ").filter(isScope);
  return shown.filter((value) => formField(body, optionalField(value)) === "");
}

/** The posted shop and scope, without what was left out: URLs carry it to the page that is shown again. */
export function postedChoice(body: unknown): string {
  const left: readonly string[] = leftOut(body);
  const [shopId = "", ...scope] = formField(body, "shop").split(" ");
  return [shopId, ...scope.filter((value) => !left.includes(value))].join(" ");
}

/** The chosen offer, and what of the posted scope can be granted now; null if the choice is none of these offers. */
export function chosenOffer(
  offers: readonly ShopOffer[],
  posted: string,
): { readonly offer: ShopOffer; readonly scope: readonly Scope[] } | null {
  const [shopId, ...shown] = posted.split(" ");
  const offer = offers.find(({ shop }) => shop.id === shopId);
  if (!offer) return null;
  return { offer, scope: offer.scope.filter((value) => shown.includes(value)) };
}
