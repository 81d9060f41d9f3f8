import assert from "node:assert/strict";
import { type Actor, recordAudit } from "@partner-connect/audit";
import { PLANS, type Plan } from "@partner-connect/contract";
import {
  type ListPage,
  listPageSql,
  type Queries,
  type Sql,
  transaction,
} from "@partner-connect/database";
import { lockUnlessErasing } from "../being-erased.ts";
import { changesOf } from "../changes-of.ts";
import { lockClient } from "../clients/clients.ts";
import {
  DirectoryError,
  erasureUnderWayError,
  notFromProductError,
  unknownIdError,
} from "../directory-error.ts";
import { displayName } from "../display-name.ts";
import { findOrCreateMerchant } from "../merchants/create-merchant.ts";
import { asciiDomain } from "../merchants/email.ts";
import type { Shop } from "../merchants/merchants.ts";
import { addTestShop } from "./test-shop.ts";

export interface NewShop {
  readonly name: string;
  /** The email of the merchant who becomes the first member. */
  readonly ownerEmail: string;
  readonly plan: string;
  /** Shown to merchants next to the name when they choose a shop. */
  readonly domain?: string | undefined;
  /** The client whose test shop this is: responses are generated, and members are the client's. */
  readonly testOf?: string | undefined;
}

const DOMAIN = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/**
 * Normalizes a shop's fields. @throws {DirectoryError} INVALID_NAME, INVALID_PLAN, INVALID_DOMAIN
 */
export function shopFields(given: Omit<Shop, "id" | "plan"> & { readonly plan: string }) {
  const domain = given.domain === null ? null : asciiDomain(given.domain.trim()).toLowerCase();
  if (domain !== null && (domain.length > 253 || !DOMAIN.test(domain))) {
    const problem = `${JSON.stringify(domain)} is not a domain such as shop.example`;
    throw new DirectoryError("INVALID_DOMAIN", problem);
  }
  return { name: displayName(given.name, "shop"), domain, plan: requirePlan(given.plan) };
}

/**
 * Creates a shop with its first member. Index: merchants_by_email. @throws {DirectoryError}
 * INVALID_NAME, INVALID_PLAN, INVALID_DOMAIN, UNKNOWN_MERCHANT; for a test shop also UNKNOWN_CLIENT,
 * TOO_MANY_TEST_SHOPS
 */
export async function createShop(sql: Queries, shop: NewShop, actor: Actor): Promise<Shop> {
  const { testOf = null } = shop;
  const { name, domain, plan } = shopFields({ ...shop, domain: shop.domain ?? null });
  return await transaction(sql, async (tx) => {
    if (testOf !== null) await lockClient(tx, testOf);
    const { merchant } = await findOrCreateMerchant(tx, shop.ownerEmail, undefined, actor);
    const merchantId = merchant.id;
    const [created] = await tx<Shop[]>`
      INSERT INTO directory.shops (name, domain, plan, test_of) VALUES (${name}, ${domain}, ${plan}, ${testOf})
      RETURNING id, name, domain, plan`;
    assert(created, "an insert returned no row");
    const { id: shopId } = created;
    await tx`INSERT INTO directory.memberships (shop_id, merchant_id) VALUES (${shopId}, ${merchantId})`;
    if (testOf !== null) await addTestShop(tx, testOf, shopId);
    const detail = { name, plan, ...(testOf !== null && { test_of: testOf }) };
    await recordAudit(tx, { action: "shop_create", shopId, merchantId, detail }, actor);
    return created;
  });
}

/**
 * Sets the plan. From the next request on, scopes that the plan doesn't allow are refused.
 * Index: shops_pkey.
 * @throws {DirectoryError} INVALID_PLAN, UNKNOWN_SHOP, ERASURE_UNDER_WAY
 */
export async function setShopPlan(sql: Sql, shopId: string, plan: string, actor: Actor) {
  return await changeShopById(sql, shopId, { plan: requirePlan(plan) }, actor);
}

/**
 * Renames a shop. Merchants and partners see the new name from the next page or request on. Index:
 * shops_pkey.
 * @throws {DirectoryError} INVALID_NAME, UNKNOWN_SHOP, ERASURE_UNDER_WAY
 */
export async function renameShop(sql: Sql, shopId: string, name: string, actor: Actor) {
  return await changeShopById(sql, shopId, { name: displayName(name, "shop") }, actor);
}

type ShopChange = Partial<Omit<Shop, "id">>;

async function changeShopById(
  sql: Sql,
  shopId: string,
  to: ShopChange,
  actor: Actor,
): Promise<Shop> {
  return await transaction(sql, async (tx) => {
    await lockUnlessErasing(tx, "shop", shopId, tx`FOR NO KEY UPDATE`);
    return await changeShop(tx, await requireShop(tx, shopId), to, actor);
  });
}

/**
 * Creates a shop of the survey product with this id, without members, or changes what differs.
 * Idempotent.
 * @throws {DirectoryError} INVALID_NAME, INVALID_PLAN, INVALID_DOMAIN, ERASURE_UNDER_WAY,
 * NOT_OF_PRODUCT
 */
export async function putShop(
  sql: Sql,
  { id, ...given }: { readonly id: string } & Parameters<typeof shopFields>[0],
  actor: Actor,
): Promise<{ readonly record: Shop; readonly isNew: boolean }> {
  const wanted = shopFields(given);
  const { name, domain, plan } = wanted;
  return await transaction(sql, async (tx) => {
    const [created] = await tx<Shop[]>`
      INSERT INTO directory.shops (id, name, domain, plan) VALUES (${id}, ${name}, ${domain}, ${plan})
      ON CONFLICT DO NOTHING RETURNING id, name, domain, plan`;
    if (created) {
      await recordAudit(tx, { action: "shop_create", shopId: id, detail: { name, plan } }, actor);
      return { record: created, isNew: true };
    }
    const known = await findProductShop(tx, id, tx`FOR NO KEY UPDATE`);
    if (!known) throw erasureUnderWayError("shop", id);
    await lockUnlessErasing(tx, "shop", id);
    return { record: await changeShop(tx, known.shop, wanted, actor), isNew: false };
  });
}

interface StoredShop {
  readonly shop: Shop;
  readonly isErasing: boolean;
  /** The client that this is a test shop of, or null. */
  readonly testOf: string | null;
}

/** The shop, or null. `lock` is a locking clause for its row. Index: shops_pkey. */
async function findShop(sql: Queries, id: string, lock = sql``): Promise<StoredShop | null> {
  const [row] = await sql<(Shop & Omit<StoredShop, "shop">)[]>`
    SELECT id, name, domain, plan, test_of AS "testOf", erase_requested_at IS NOT NULL AS "isErasing"
    FROM directory.shops WHERE id = ${id} ${lock}`;
  if (!row) return null;
  const { isErasing, testOf, ...shop } = row;
  return { shop, isErasing, testOf };
}

/**
 * Like {@link findShop}, but only for the survey product's shops.
 * @throws {DirectoryError} NOT_OF_PRODUCT
 */
export async function findProductShop(sql: Queries, id: string, lock = sql``) {
  const found = await findShop(sql, id, lock);
  if (found && found.testOf !== null) throw notFromProductError("a partner's test shop", id);
  return found;
}

/**
 * Like {@link findProductShop}, but throws if there is no such shop.
 * @throws {DirectoryError} NOT_OF_PRODUCT; UNKNOWN_SHOP, also while it is being erased
 */
export async function requireProductShop(sql: Queries, id: string): Promise<Shop> {
  const found = await findProductShop(sql, id);
  if (!found || found.isErasing) throw unknownIdError("shop", id);
  return found.shop;
}

/** Updates the fields in which `to` (normalized) differs, with records. `before` must be locked. */
async function changeShop(tx: Queries, before: Shop, to: ShopChange, actor: Actor): Promise<Shop> {
  const after = { ...before, ...to };
  const { id: shopId, name, domain, plan } = after;
  const renamed = changesOf(before, { name, domain });
  const isRenamed = Object.keys(renamed).length > 0;
  if (!isRenamed && before.plan === plan) return before;
  await tx`UPDATE directory.shops SET plan = ${plan}, name = ${name}, domain = ${domain} WHERE id = ${shopId}`;
  if (isRenamed) await recordAudit(tx, { action: "shop_rename", shopId, detail: renamed }, actor);
  if (before.plan !== plan) {
    const detail = { from: before.plan, to: plan };
    await recordAudit(tx, { action: "shop_set_plan", shopId, detail }, actor);
  }
  return after;
}

/** Shops, by id, for operators. @throws {DirectoryError} INVALID_PLAN */
export async function listShops(
  sql: Sql,
  { plan, ...page }: ListPage & { readonly plan?: string | undefined } = {},
): Promise<(Shop & { readonly memberEmails: readonly string[] })[]> {
  return await sql<(Shop & { memberEmails: string[] })[]>`
    SELECT s.id, s.name, s.domain, s.plan,
      array(SELECT m.email FROM directory.memberships b JOIN directory.merchants m ON m.id = b.merchant_id
            WHERE b.shop_id = s.id ORDER BY m.email) AS "memberEmails"
    FROM directory.shops s WHERE ${plan === undefined ? sql`true` : sql`s.plan = ${requirePlan(plan)}`}
    ${listPageSql(sql, page, "s.id", ["s.name", "s.domain"])}`;
}

/** Index: shops_pkey. @throws {DirectoryError} UNKNOWN_SHOP */
export async function requireShop(sql: Queries, id: string): Promise<Shop> {
  const [shop] = await sql<Shop[]>`
    SELECT id, name, domain, plan FROM directory.shops WHERE id = ${id}`;
  if (!shop) throw unknownIdError("shop", id);
  return shop;
}

function requirePlan(plan: string): Plan {
  const known = PLANS.find((candidate) => candidate === plan);
  if (known) return known;
  const problem = `${JSON.stringify(plan)} is not a plan: use ${PLANS.join(" or ")}`;
  throw new DirectoryError("INVALID_PLAN", problem);
}

export interface ShopDetails extends Shop {
  readonly createdAt: Date;
  /** Number of API keys that are not revoked. */
  readonly apiKeys: number;
  /** The client that this is a test shop of, or null. */
  readonly testOf: string | null;
}

/**
 * A shop with its number of API keys, for operators. Index: shops_pkey.
 * @throws {DirectoryError} UNKNOWN_SHOP
 */
export async function shopDetails(sql: Sql, id: string): Promise<ShopDetails> {
  const [shop] = await sql<ShopDetails[]>`
    SELECT s.id, s.name, s.domain, s.plan, s.created_at AS "createdAt",
      (SELECT count(*)::int FROM directory.api_keys k WHERE k.shop_id = ${id} AND k.revoked_at IS NULL) AS "apiKeys",
      s.test_of AS "testOf"
    FROM directory.shops s WHERE s.id = ${id}`;
  if (!shop) throw unknownIdError("shop", id);
  return shop;
}
