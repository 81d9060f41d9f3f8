import { randomUUID } from "node:crypto";
import { fileURLToPath } from "node:url";
import type { Sql } from "@partner-connect/database";
import { withDatabase } from "@partner-connect/database/testing";
import { merchantBrowser } from "../actors/merchant-browser.ts";
import { type MerchantAccount, onboardClient, type ShopRecord } from "../actors/onboarding.ts";
import { operator } from "../actors/operator.ts";
import { partner } from "../actors/partner.ts";
import { SITE_REDIRECT_URIS } from "../actors/partner-site.ts";
import { createTestShop } from "../actors/test-shop.ts";
import type { StackUnderTest } from "../stack/stacks.ts";

export const CALLBACK = "https://app.lookout.example/callback";

const LOGO = fileURLToPath(new URL("lookout-logo.png", import.meta.url));
const PRIVACY_POLICY = "https://lookout.example/privacy";

const BOTH = "responses:read sources:write";

type Plan = "standard" | "advanced_attribution";

export type MerchantWorld = Awaited<ReturnType<typeof merchantWorld>>;

/** All that the merchant pages can show. `mark`, in the emails, keeps a stack's worlds apart. */
export async function merchantWorld(stack: StackUnderTest, mark = `${randomUUID().slice(0, 8)}.`) {
  return await withDatabase(stack.database_url, async (sql) => {
    const merchant = async (name: string): Promise<MerchantAccount> => {
      const email = `${name.split(" ", 1)[0]?.toLowerCase()}@${mark}fern.example`;
      const password = "a long enough password";
      const words = ["--email", email, "--password", password];
      await operator(stack, ["merchant create --name", name, ...words]);
      return { email, password };
    };
    const shop = async (
      owner: MerchantAccount,
      name: string,
      plan: Plan,
      domain?: string,
    ): Promise<ShopRecord> => {
      const words = ["shop create --name", name, "--owner", owner.email, "--plan", plan];
      return await operator(stack, domain === undefined ? words : [...words, "--domain", domain]);
    };
    const redirectUris = [CALLBACK, ...SITE_REDIRECT_URIS];
    const [ada, grace, chain, layla, nia] = await Promise.all(
      ["Ada Okafor", "Grace Lin", "Mira Castellanos", "Layla <b>ليلى</b>", "Nia Boateng"].map(
        merchant,
      ),
    );
    const [lookout, harbor, nakheel] = await Promise.all([
      onboardClient(stack, { name: "Lookout Analytics", redirectUris, scope: BOTH }),
      onboardClient(stack, { name: "Harbor Reports", redirectUris, scope: BOTH }),
      onboardClient(stack, { name: "شركة <i>النخيل</i>", redirectUris, scope: BOTH }),
    ]);
    if (!ada || !grace || !chain || !layla || !nia) throw new Error("a merchant is missing");
    const site = "--website https://lookout.example --contact privacy@lookout.example".split(" ");
    const identity = ["--publisher", "Lookout Labs GmbH", ...site, "--logo", LOGO];
    const policy = ["--privacy-policy", PRIVACY_POLICY];
    await operator(stack, ["client", "update", lookout.clientId, ...identity, ...policy]);
    const company = ["--publisher", "Harbor Software Inc.", "--website", "https://harbor.example"];
    await operator(stack, ["client", "update", harbor.clientId, ...company]);
    await shop(ada, "Blue Cup Coffee", "standard", "bluecup.example");
    const fern = await shop(ada, "Fern & Field", "advanced_attribution", "fernandfield.example");
    const northwind = await shop(ada, "Northwind Outlet", "advanced_attribution");
    await shop(grace, "Lin Ceramics", "standard", "linceramics.example");
    await onboardManyShops(sql, chain.email);
    // Each connection was used earlier than the one before.
    await sql`
      INSERT INTO oauth.connections (shop_id, client_id, status, grant_id, scope, merchant_id, connected_at, exchanged_at, last_used_at)
      SELECT m.shop_id, ${lookout.clientId}, 'connected', 'g', '{responses:read}', m.merchant_id, m.since, m.since,
        now() - m.n * m.n * interval '40 minutes'
      FROM (
        SELECT m.*, now() - interval '120 days' AS since, row_number() OVER (ORDER BY m.shop_id) AS n
        FROM directory.memberships m JOIN directory.merchants p ON p.id = m.merchant_id
        WHERE p.email = ${chain.email} LIMIT 12) AS m`;
    await shop(layla, "متجر القهوة", "standard");
    await shop(layla, "<script>alert('hello')</script>", "advanced_attribution");

    await operator(stack, ["partner", "add", "--client", lookout.clientId, "--email", nia.email]);
    const niasBrowser = merchantBrowser(nia);
    const testShop = await createTestShop(stack, lookout, niasBrowser);

    // Onboarding refuses such a name, but the pages must be safe with it too.
    await sql`UPDATE directory.clients SET name = name || ${" \u202egnp.exe"} WHERE client_id = ${nakheel.clientId}`;

    const browser = merchantBrowser(ada);
    const options = { scope: "responses:read", redirectUri: CALLBACK };
    const { accessToken } = await partner(stack, lookout).connect(browser, fern, options);
    for (const limit of [0, 0, 5000])
      await partner(stack, lookout).call(`/api/responses?limit=${limit}`, accessToken);
    await partner(stack, lookout).refresh("of-another-app");
    await fetch(partner(stack, lookout).attempt({ redirectUri: `${CALLBACK}/` }).url);
    await partner(stack, lookout).connect(browser, northwind, options);
    await partner(stack, harbor).connect(browser, fern, options);
    await partner(stack, lookout).connect(niasBrowser, testShop, options);
    await sql`UPDATE oauth.connections SET connected_at = now() - interval '80 days' WHERE shop_id = ${fern.id}`;
    await sql`UPDATE oauth.connections SET last_used_at = now() - interval '45 days'
      WHERE shop_id = ${fern.id} AND client_id = ${harbor.clientId}`;
    await sql`
      INSERT INTO oauth.client_activity (client_id, hour, what, reason, count)
      SELECT ${lookout.clientId}, date_trunc('hour', now()) - n * interval '1 day', what, '', (40 + n * 37 % 90) * times
      FROM generate_series(0, 59) AS n, (VALUES ('calls', 1), ('records', 50)) AS counted (what, times)
      ON CONFLICT (client_id, hour, what, reason) DO UPDATE SET count = excluded.count`;
    const hooks = "https://app.lookout.example/hooks";
    await operator(stack, ["webhook", "add", "--client", lookout.clientId, "--url", hooks]);
    const [paused] = await operator(stack, ["connection", "list", "--shop", northwind.id]);
    await operator(stack, ["connection", "disable", paused.id]);
    return {
      /** Has a shop without a connection, one with two apps, a paused and an ended connection. */
      ada,
      /** Has one shop. */
      grace,
      /** Has forty shops, some of them with an app. */
      chain,
      /** Has shops with names in other scripts and with markup. */
      layla,
      /** Has no shops, and belongs to the app Lookout Analytics. */
      nia,
      /** An app with a logo, a publisher, a website, a privacy policy and a contact. */
      lookout,
      /** An app whose name is in another script and has markup. */
      nakheel,
    };
  });
}

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
const MANY_SHOPS: readonly { readonly name: string; readonly domain: string }[] = BRANDS.flatMap(
  ([brand, domain]) =>
    TOWNS.map((town) => ({
      name: `${brand} ${town}`,
      domain: `${domain}-${town.toLowerCase()}.example`,
    })),
);

/** Makes {@link MANY_SHOPS}, faster than commands do; every fourth has the plan of all scopes. */
async function onboardManyShops(sql: Sql, email: string): Promise<void> {
  const [names, domains] = [
    MANY_SHOPS.map(({ name }) => name),
    MANY_SHOPS.map(({ domain }) => domain),
  ];
  await sql`
    WITH made AS (
      INSERT INTO directory.shops (name, domain, plan)
      SELECT name, domain, CASE WHEN n % 4 = 0 THEN 'advanced_attribution' ELSE 'standard' END
      FROM unnest(${names}::text[], ${domains}::text[]) WITH ORDINALITY AS shop (name, domain, n) RETURNING id)
    INSERT INTO directory.memberships (merchant_id, shop_id)
    SELECT merchants.id, made.id FROM made, directory.merchants WHERE email = ${email}`;
}
