import { randomUUID } from "node:crypto";
import type { Actor } from "@partner-connect/audit";
import type { Sql } from "@partner-connect/database";
import { createClient, type NewClient } from "./clients/register-client.ts";

/** Onboarding for tests below the command line. Each function needs the database's owner. */

export const TEST_OPERATOR: Actor = { name: "operator:test" };

export const REDIRECT_URI = "https://partner.example/callback";

/** A client with its secret, as its partner holds it. */
export interface RegisteredClient {
  readonly clientId: string;
  readonly secret: string;
}

/** A client for both scopes, unless `client` says otherwise. Another client may have its name. */
export async function onboardClient(
  sql: Sql,
  client: Partial<NewClient> = {},
): Promise<RegisteredClient> {
  const registered = {
    name: "Lookout",
    redirectUris: [REDIRECT_URI, "http://localhost/callback"],
    scope: ["responses:read", "sources:write"],
    allowDuplicateName: true,
    ...client,
  };
  const created = await createClient(sql, registered, TEST_OPERATOR);
  return { clientId: created.client.clientId, secret: created.secret };
}

/** A merchant. Tests that sign in give a password's hash, which takes a while to compute. */
export async function onboardMerchant(
  sql: Sql,
  passwordHash = "none",
): Promise<{ id: string; email: string }> {
  const email = `${randomUUID()}@shop.example`;
  const [merchant] = await sql<{ id: string }[]>`
    INSERT INTO directory.merchants (email, name, password_hash)
    VALUES (${email}, 'Ada', ${passwordHash}) RETURNING id`;
  return { id: merchant?.id ?? "", email };
}

export interface ShopOptions {
  readonly name?: string;
  /** Default: `advanced_attribution`. */
  readonly plan?: string;
  /** The ids of the shop's members. */
  readonly merchants?: readonly string[];
}

export async function onboardShop(sql: Sql, options: ShopOptions = {}): Promise<string> {
  const { name = "Fern & Field", plan = "advanced_attribution", merchants = [] } = options;
  const [shop] = await sql<{ id: string }[]>`
    WITH shop AS (INSERT INTO directory.shops (name, plan) VALUES (${name}, ${plan}) RETURNING id),
    memberships AS (
      INSERT INTO directory.memberships (shop_id, merchant_id)
      SELECT shop.id, merchant FROM shop, unnest(${[...merchants]}::text[]) AS merchant
    )
    SELECT id FROM shop`;
  return shop?.id ?? "";
}
