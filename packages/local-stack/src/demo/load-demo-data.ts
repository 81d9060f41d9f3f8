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
import { withDatabase } from "../postgres/connection.ts";
import { step } from "../processes/supervised-process.ts";
import type { LocalStackState } from "../stack/state.ts";
import { CLIENT, type DemoData, type DemoMerchant, MERCHANTS, readDemoFile, writeDemoFile } from "./demo-file.ts";

const ACTOR = { name: "operator:demo" };

interface LoadDemoDataOptions {
  readonly dataDir: string;
  readonly databaseUrl: string;
  readonly report: (line: string) => void;
}

export type LoadedDemoData = Awaited<ReturnType<typeof loadDemoData>>;

/** Loads the demo data unless it is there. Each step can be repeated, so the next start completes an interrupted load. */
export async function loadDemoData(options: LoadDemoDataOptions) {
  const { dataDir, databaseUrl, report } = options;
  const demo = await readDemoFile(dataDir);
  const load = async (sql: Sql) => {
    if (demo.client && (await findClient(sql, demo.client.client_id))) return { ...demo, fresh: false };
    const shopIds: string[] = [];
    await step(report, "loading demo data: 2 merchants, 3 shops, 5,000 responses", async () => {
      for (const merchant of demo.merchants) {
        shopIds.push(...(await loadMerchant(sql, merchant, Date.parse(demo.until))));
      }
    });
    const { client, secret } = await createClient(sql, CLIENT, ACTOR);
    await loadPartner(sql, demo.partner, client.clientId);
    const { key } = await createApiKey(sql, shopIds[0] ?? "", ACTOR);
    const { clientId: client_id, name, redirectUris: redirect_uris, scope } = client;
    const complete: DemoData = {
      ...demo,
      client: { client_id, client_secret: secret, name, redirect_uris, scope: scope.join(" ") },
      api_key: key,
    };
    await writeDemoFile(dataDir, complete);
    return { ...complete, fresh: true };
  };
  return await withDatabase(databaseUrl, load, dataDir);
}

async function loadMerchant(sql: Sql, merchant: DemoMerchant, until: number): Promise<string[]> {
  const known = await findMerchantByEmail(sql, merchant.email);
  const { id } = known ?? (await createMerchant(sql, merchant, ACTOR));
  const there = await shopsOfMerchant(sql, id);
  const ids: string[] = [];
  for (const plan of MERCHANTS.find(({ email }) => email === merchant.email)?.shops ?? []) {
    const shop =
      there.find(({ name }) => name === plan.name) ??
      (await createShop(
        sql,
        { name: plan.name, domain: plan.domain, plan: plan.plan, ownerEmail: merchant.email },
        ACTOR,
      ));
    await importQuestions(sql, { shopId: shop.id, lines: generateQuestions({ to: until }) }, ACTOR);
    const responses = { count: plan.responses, seed: plan.name, to: until };
    await importResponses(sql, { shopId: shop.id, lines: generateResponses(responses) }, ACTOR);
    ids.push(shop.id);
  }
  return ids;
}

async function loadPartner(sql: Sql, partner: DemoMerchant, clientId: string): Promise<void> {
  if (!(await findMerchantByEmail(sql, partner.email))) await createMerchant(sql, partner, ACTOR);
  await addClientMember(sql, { clientId, email: partner.email }, ACTOR);
}

type DemoUrls = Pick<LocalStackState, "base_url" | "sample_partner_url">;

/** What a newcomer needs for the first connection. The secrets are shown only by the start that made them. */
export function describeDemoData(demo: LoadedDemoData, urls: DemoUrls, file: string): string {
  const { sample_partner_url: url } = urls;
  const sample = url
    ? [`  sample app ${url}: connect a shop there as one of the merchants, and see its responses`]
    : [];
  const places = [...sample, `  docs       ${urls.base_url}/docs: the first connection in ten minutes`];
  if (!demo.fresh) return ["", ...places, `  demo credentials   ${file}`, ""].join("\n");
  const merchants = demo.merchants.flatMap(({ name, email, password }) => {
    const shops = MERCHANTS.find((merchant) => merchant.email === email)?.shops ?? [];
    const list = shops.map((shop) => `${shop.name} (${shop.plan})`).join(", ");
    return [`  merchant   ${name}: ${list}`, `             ${email}   ${password}`];
  });
  return [
    "",
    ...places,
    "",
    "  Demo data; these credentials are shown once, and kept in",
    `  ${file}`,
    "",
    ...merchants,
    `  partner    ${demo.client?.name}: ${demo.client?.scope}, ${demo.client?.redirect_uris.join(" ")} (any port)`,
    `             ${demo.client?.client_id}`,
    `             ${demo.client?.client_secret}`,
    `             ${urls.base_url}/partner: ${demo.partner.email}   ${demo.partner.password}`,
    `  API key    ${MERCHANTS[0].shops[0].name}`,
    `             ${demo.api_key}`,
    "",
    "  A first look at the API:",
    `    curl -H 'Authorization: ${demo.api_key}' '${urls.base_url}/api/responses?limit=1'`,
    "",
  ].join("\n");
}
