import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Sql } from "@partner-connect/database";
import {
  addClientMember,
  createApiKey,
  createClient,
  createMerchant,
  createShop,
  findClient,
  findMerchantByEmail,
  shopsOfMerchant,
} from "@partner-connect/directory";
import { importQuestions, importResponses } from "@partner-connect/survey-data";
import { generateQuestions, generateResponses } from "@partner-connect/survey-data/generated";
import { readJson, writeJson } from "./data-folder.ts";
import { withDatabase } from "./stores/postgres.ts";

const MERCHANTS = [
  {
    name: "Nora Northwind",
    email: "nora@northwind.example",
    shops: [
      {
        name: "Northwind Coffee",
        domain: "northwind-coffee.example",
        plan: "advanced_attribution",
        responses: 3000,
      },
      { name: "Northwind Tea", domain: "northwind-tea.example", plan: "standard", responses: 1500 },
    ],
  },
  {
    name: "Liam Lumen",
    email: "liam@lumen.example",
    shops: [
      { name: "Lumen Lamps", domain: "lumen-lamps.example", plan: "standard", responses: 500 },
    ],
  },
] as const;

/** A partner whose app runs on this machine: a loopback redirect URI matches any port. */
const CLIENT = {
  name: "Attribution Insights",
  redirectUris: ["http://localhost:3000/callback"],
  scope: ["responses:read", "sources:write"],
  publisher: "Insights Demo Ltd",
  website: "https://insights.example/",
  privacyPolicy: "https://insights.example/privacy",
  contact: "privacy@insights.example",
  logo: readFileSync(new URL("demo-logo.webp", import.meta.url)),
  // An interrupted start may have left a client with this name whose secret is lost.
  allowDuplicateName: true,
} as const;

/** DATA_DIR/demo.json: the demo data's credentials, which the database has only as hashes. */
type DemoData = ReturnType<typeof newDemoData>;

export type DemoClient = Readonly<
  Record<"client_id" | "client_secret" | "name" | "scope", string>
> & {
  readonly redirect_uris: readonly string[];
};

const ACTOR = { name: "operator:demo" };

export type LoadedDemoData = Awaited<ReturnType<typeof loadDemoData>>;

/**
 * Loads the demo data unless it is there. Each step can be repeated, so the next start completes an
 * interrupted load.
 */
export async function loadDemoData(
  dataDir: string,
  databaseUrl: string,
  report: (line: string) => void,
) {
  const file = join(dataDir, "demo.json");
  const demo = (await readJson<DemoData>(file)) ?? newDemoData();
  return await withDatabase(databaseUrl, dataDir, async (sql) => {
    if (demo.client && (await findClient(sql, demo.client.client_id)))
      return { ...demo, fresh: false };
    // Store the passwords before using them.
    await writeJson(file, demo);
    const shopIds: string[] = [];
    report("loading demo data: 2 merchants, 3 shops, 5,000 responses");
    for (const merchant of demo.merchants) {
      shopIds.push(...(await ensureMerchant(sql, merchant, Date.parse(demo.until))));
    }
    const { client, secret } = await createClient(sql, CLIENT, ACTOR);
    const { clientId: client_id, name, redirectUris: redirect_uris, scope } = client;
    if (!(await findMerchantByEmail(sql, demo.partner.email)))
      await createMerchant(sql, demo.partner, ACTOR);
    await addClientMember(sql, { clientId: client_id, email: demo.partner.email }, ACTOR);
    const { key } = await createApiKey(sql, shopIds[0] ?? "", ACTOR);
    const complete: DemoData = {
      ...demo,
      client: { client_id, client_secret: secret, name, redirect_uris, scope: scope.join(" ") },
      api_key: key,
    };
    await writeJson(file, complete);
    return { ...complete, fresh: true };
  });
}

function newDemoData() {
  const password = () => randomBytes(12).toString("base64url");
  return {
    /** The day up to which responses are generated: a repeated load generates the same ones. */
    until: new Date(new Date().setUTCHours(0, 0, 0, 0)).toISOString(),
    merchants: MERCHANTS.map(({ name, email }) => ({ name, email, password: password() })),
    /** A member of the client, who can open its partner pages. */
    partner: { name: "Pia Insights", email: "pia@insights.example", password: password() },
    /** Null until everything is loaded. */
    client: null as DemoClient | null,
    /** The first shop's API key. */
    api_key: null as string | null,
  };
}

const shopsOf = (email: string) =>
  MERCHANTS.find((merchant) => merchant.email === email)?.shops ?? [];

async function ensureMerchant(sql: Sql, merchant: DemoData["partner"], until: number) {
  const known = await findMerchantByEmail(sql, merchant.email);
  const { id } = known ?? (await createMerchant(sql, merchant, ACTOR));
  const there = await shopsOfMerchant(sql, id);
  const ids: string[] = [];
  for (const { name, domain, plan, responses: count } of shopsOf(merchant.email)) {
    const shop =
      there.find((known) => known.name === name) ??
      (await createShop(sql, { name, domain, plan, ownerEmail: merchant.email }, ACTOR));
    await importQuestions(sql, { shopId: shop.id, lines: generateQuestions({ to: until }) }, ACTOR);
    const lines = generateResponses({ count, seed: name, to: until });
    await importResponses(sql, { shopId: shop.id, lines }, ACTOR);
    ids.push(shop.id);
  }
  return ids;
}

/** The credentials for a first connection. Only the start that made the secrets shows them. */
export function describeDemoData(
  { fresh, client, ...demo }: LoadedDemoData,
  state: { readonly base_url: string; readonly sample_partner_url?: string },
  file: string,
): string {
  const places = `
  sample app ${state.sample_partner_url}: connect a shop there as one of the merchants, and see its responses
  docs       ${state.base_url}/docs: the first connection in ten minutes
`;
  if (!fresh) return `${places}  demo credentials   ${file}\n`;
  const merchants = demo.merchants.map(
    ({ name, email, password }) => `
  merchant   ${name}: ${shopsOf(email)
    .map((shop) => `${shop.name} (${shop.plan})`)
    .join(", ")}
             ${email}   ${password}`,
  );
  return `${places}
  Demo data; these credentials are shown once, and kept in
  ${file}
${merchants.join("")}
  partner    ${client?.name}: ${client?.scope}, ${client?.redirect_uris.join(" ")} (any port)
             ${client?.client_id}
             ${client?.client_secret}
             ${state.base_url}/partner: ${demo.partner.email}   ${demo.partner.password}
  API key    ${MERCHANTS[0].shops[0].name}
             ${demo.api_key}

  A first look at the API:
    curl -H 'Authorization: ${demo.api_key}' '${state.base_url}/api/responses?limit=1'
`;
}
