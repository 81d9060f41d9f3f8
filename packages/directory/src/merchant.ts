import type { Plan } from "@partner-connect/access-token";
import type { Sql } from "@partner-connect/database";
import type { Role } from "./members/member.ts";

export interface Merchant {
  readonly id: string;
  readonly email: string;
  readonly name: string;
}

export interface Shop {
  readonly id: string;
  readonly name: string;
  readonly domain: string | null;
  readonly plan: Plan;
}

/** The merchant who signs in with `email` (in any case), with the hash of the password. Index: merchants_by_email. */
export async function findMerchantByEmail(
  sql: Sql,
  email: string,
): Promise<(Merchant & { passwordHash: string }) | null> {
  const [row] = await sql<(Merchant & { passwordHash: string })[]>`
    SELECT id, email, name, password_hash AS "passwordHash"
    FROM directory.merchants WHERE lower(email) = lower(${email})`;
  return row ?? null;
}

/** The merchant, or null. Index: merchants_pkey. */
export async function findMerchant(sql: Sql, id: string): Promise<Merchant | null> {
  const [row] = await sql<Merchant[]>`SELECT id, email, name FROM directory.merchants WHERE id = ${id}`;
  return row ?? null;
}

/** A shop that a merchant belongs to. */
export interface OwnShop extends Shop {
  readonly role: Role;
}

/** The shops that the merchant belongs to, by name. Index: memberships_pkey. */
export async function shopsOfMerchant(sql: Sql, merchantId: string): Promise<OwnShop[]> {
  return await sql<OwnShop[]>`
    SELECT s.id, s.name, s.domain, s.plan, m.role
    FROM directory.memberships m JOIN directory.shops s ON s.id = m.shop_id
    WHERE m.merchant_id = ${merchantId} ORDER BY s.name, s.id`;
}
