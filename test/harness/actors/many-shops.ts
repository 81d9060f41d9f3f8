import type { Sql } from "@partner-connect/database";

const BRANDS = [
  ["Fern & Field", "fernandfield"],
  ["Blue Cup Coffee", "bluecup"],
  ["Northwind Outlet", "northwind-outlet"],
  ["Lin Ceramics", "linceramics"],
  ["Harbour Books", "harbourbooks"],
  ["Atelier Dubois", "atelier-dubois"],
  ["Kaffeehaus Zentral", "kaffeehaus-zentral"],
  ["Casa Verde", "casaverde"],
] as const;

const TOWNS = ["Lyon", "Hamburg", "Sevilla", "Bristol", "Montreal"] as const;

/** Forty shops as merchants name them, each with its domain. */
const MANY_SHOPS: readonly { readonly name: string; readonly domain: string }[] = BRANDS.flatMap(([brand, domain]) =>
  TOWNS.map((town) => ({ name: `${brand} ${town}`, domain: `${domain}-${town.toLowerCase()}.example` })),
);

/** They are this merchant's; every fourth has the plan of all scopes. One process of the command line for each would take long. */
export async function onboardManyShops(sql: Sql, email: string): Promise<void> {
  const [names, domains] = [MANY_SHOPS.map(({ name }) => name), MANY_SHOPS.map(({ domain }) => domain)];
  await sql`
    WITH made AS (
      INSERT INTO directory.shops (name, domain, plan)
      SELECT name, domain, CASE WHEN n % 4 = 0 THEN 'advanced_attribution' ELSE 'standard' END
      FROM unnest(${names}::text[], ${domains}::text[]) WITH ORDINALITY AS shop (name, domain, n) RETURNING id)
    INSERT INTO directory.memberships (merchant_id, shop_id)
    SELECT merchants.id, made.id FROM made, directory.merchants WHERE email = ${email}`;
}
