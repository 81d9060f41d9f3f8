import { createHash, randomBytes } from "node:crypto";
import type { Sql } from "@partner-connect/database";
import { merchantBrowser } from "../harness/actors/merchant-browser.ts";
import { onboardClient, onboardMerchant, onboardShop } from "../harness/actors/onboarding.ts";
import { partner } from "../harness/actors/partner.ts";

export interface ConnectedShops {
  readonly clientId: string;
  readonly secret: string;
  readonly refreshTokens: readonly string[];
}

/** Connects one client with `count` shops, each by the whole flow. */
export async function connectShops(stack: Parameters<typeof partner>[0], count: number): Promise<ConnectedShops> {
  const client = await onboardClient(stack, { scope: "responses:read" });
  const merchant = await onboardMerchant(stack);
  const browser = merchantBrowser(merchant);
  const refreshTokens: string[] = [];
  for (let index = 0; index < count; index++) {
    const shop = await onboardShop(stack, merchant);
    refreshTokens.push((await partner(stack, client).connect(browser, shop)).refreshToken);
  }
  return { clientId: client.clientId, secret: client.secret, refreshTokens };
}

export interface ConnectedShop {
  readonly connectionId: string;
  readonly shopId: string;
  readonly refreshToken: string;
}

/** Connects the client with `count` new shops, by a statement for each table: Redis learns of a token by its first refresh. */
export async function connectByStatement(sql: Sql, clientId: string, count: number): Promise<ConnectedShop[]> {
  const shops = Array.from({ length: count }, () => {
    const shopId = `shop_${randomBytes(16).toString("hex")}`;
    return { shopId, refreshToken: `pcr_${randomBytes(32).toString("base64url")}_${shopId}` };
  });
  const ids = shops.map(({ shopId }) => shopId);
  const hashes = shops.map(({ refreshToken }) => createHash("sha256").update(refreshToken).digest("hex"));
  await sql`INSERT INTO directory.shops (id, name, plan) SELECT id, 'Bench', 'standard' FROM unnest(${ids}::text[]) AS id`;
  const rows = await sql<{ shopId: string; id: string }[]>`
    INSERT INTO oauth.connections (shop_id, client_id, grant_id, scope, merchant_id, status, refresh_token_hash,
      exchanged_at, connected_at, last_used_at)
    SELECT id, ${clientId}, 'grant_' || id, '{responses:read}', (SELECT min(id) FROM directory.merchants), 'connected',
      decode(hash, 'hex'), now(), now(), now()
    FROM unnest(${ids}::text[], ${hashes}::text[]) AS made (id, hash) RETURNING shop_id AS "shopId", id`;
  const connectionIds = new Map(rows.map(({ shopId, id }) => [shopId, id]));
  return shops.map((shop) => ({ ...shop, connectionId: connectionIds.get(shop.shopId) ?? "" }));
}
