import { type Actor, recordAudit } from "@partner-connect/audit";
import { type Sql, transaction } from "@partner-connect/database";
import { displayName } from "../display-name.ts";
import type { Shop } from "../merchants/merchant.ts";
import { unknownShop } from "./shop.ts";

/** Merchants and partners see the new name from the next page or request on. Index: shops_pkey. */
export async function renameShop(sql: Sql, shopId: string, name: string, actor: Actor): Promise<Shop> {
  const to = displayName(name, "shop");
  return await transaction(sql, async (tx) => {
    const [shop] = await tx<Shop[]>`
      SELECT id, name, domain, plan FROM directory.shops WHERE id = ${shopId} FOR NO KEY UPDATE`;
    if (!shop) throw unknownShop(shopId);
    if (shop.name === to) return shop;
    await tx`UPDATE directory.shops SET name = ${to} WHERE id = ${shopId}`;
    await recordAudit(tx, { action: "shop_rename", shopId, detail: { from: shop.name, to } }, actor);
    return { ...shop, name: to };
  });
}
