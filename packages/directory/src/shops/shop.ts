import { type Actor, recordAudit } from "@partner-connect/audit";
import { PLANS, type Plan } from "@partner-connect/contract";
import { type Sql, transaction } from "@partner-connect/database";
import { DirectoryError } from "../directory-error.ts";
import { displayName } from "../display-name.ts";
import { canonicalEmail } from "../merchants/email.ts";
import type { Shop } from "../merchants/merchant.ts";
import { requireConfirmed } from "../merchants/require-confirmed.ts";

export interface NewShop {
  readonly name: string;
  /** Of the merchant who owns it. */
  readonly ownerEmail: string;
  readonly plan: string;
  /** Merchants see it beside the name when they choose a shop. */
  readonly domain?: string | undefined;
  /** Also for an account that an invitation made and nobody has confirmed. */
  readonly allowUnconfirmed?: boolean | undefined;
}

const DOMAIN = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/** Index: merchants_by_email. */
export async function createShop(sql: Sql, shop: NewShop, actor: Actor): Promise<Shop> {
  const name = displayName(shop.name, "shop");
  const plan = requirePlan(shop.plan);
  const domain = shop.domain?.trim().toLowerCase();
  if (domain !== undefined && (domain.length > 253 || !DOMAIN.test(domain))) {
    throw new DirectoryError("INVALID_DOMAIN", `${JSON.stringify(domain)} is not a domain such as shop.example`);
  }
  return await transaction(sql, async (tx) => {
    const [row] = await tx<(Shop & { ownerId: string })[]>`
      WITH owner AS (
        SELECT id FROM directory.merchants WHERE lower(email) = ${canonicalEmail(shop.ownerEmail)}
      ), created AS (
        INSERT INTO directory.shops (name, domain, plan)
        SELECT ${name}::text, ${domain ?? null}::text, ${plan}::text FROM owner
        RETURNING id, name, domain, plan
      ), membership AS (
        INSERT INTO directory.memberships (shop_id, merchant_id) SELECT created.id, owner.id FROM created, owner
      )
      SELECT created.id, name, domain, plan, owner.id AS "ownerId" FROM created, owner`;
    if (!row) {
      throw new DirectoryError(
        "UNKNOWN_MERCHANT",
        `there is no merchant with the email ${JSON.stringify(shop.ownerEmail)}; create the merchant first`,
      );
    }
    const { ownerId, ...created } = row;
    if (!shop.allowUnconfirmed) await requireConfirmed(tx, ownerId);
    const event = { action: "shop_create", shopId: created.id, merchantId: ownerId, detail: { name, plan } } as const;
    await recordAudit(tx, event, actor);
    return created;
  });
}

/** Holds from the next request on: a scope that the new plan lacks is refused at once. Index: shops_pkey. */
export async function setShopPlan(sql: Sql, shopId: string, plan: string, actor: Actor): Promise<Shop> {
  const to = requirePlan(plan);
  return await transaction(sql, async (tx) => {
    const [shop] = await tx<Shop[]>`
      SELECT id, name, domain, plan FROM directory.shops WHERE id = ${shopId} FOR NO KEY UPDATE`;
    if (!shop) throw unknownShop(shopId);
    if (shop.plan === to) return shop;
    await tx`UPDATE directory.shops SET plan = ${to} WHERE id = ${shopId}`;
    await recordAudit(tx, { action: "shop_set_plan", shopId, detail: { from: shop.plan, to } }, actor);
    return { ...shop, plan: to };
  });
}

/** All shops, oldest first: for operators. */
export async function listShops(sql: Sql): Promise<(Shop & { readonly ownerEmails: readonly string[] })[]> {
  return await sql<(Shop & { ownerEmails: string[] })[]>`
    SELECT s.id, s.name, s.domain, s.plan,
      array(SELECT m.email FROM directory.memberships b JOIN directory.merchants m ON m.id = b.merchant_id
            WHERE b.shop_id = s.id AND b.role = 'owner' ORDER BY m.email) AS "ownerEmails"
    FROM directory.shops s ORDER BY s.created_at, s.id`;
}

export function unknownShop(shopId: string): DirectoryError {
  return new DirectoryError("UNKNOWN_SHOP", `there is no shop ${JSON.stringify(shopId)}`);
}

function requirePlan(plan: string): Plan {
  const known = PLANS.find((candidate) => candidate === plan);
  if (known) return known;
  throw new DirectoryError("INVALID_PLAN", `${JSON.stringify(plan)} is not a plan: use ${PLANS.join(" or ")}`);
}
