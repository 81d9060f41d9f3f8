import { randomUUID } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { connectDatabase, type Sql } from "@partner-connect/database";
import { hashCredential } from "@partner-connect/directory";
import { onEachMaster } from "@partner-connect/service-runtime/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { merchantBrowser } from "../harness/actors/merchant-browser.ts";
import {
  onboardApiKey,
  onboardClient,
  onboardMerchant,
  onboardShop,
} from "../harness/actors/onboarding.ts";
import { operator, runOperator } from "../harness/actors/operator.ts";
import { partner } from "../harness/actors/partner.ts";
import { generateResponses, importRecords } from "../harness/actors/survey.ts";
import { until } from "../harness/stack/processes.ts";
import { type OwnStack, startOwnStack } from "../harness/stack/stacks.ts";

let stack: OwnStack;
let sql: Sql;

beforeAll(async () => {
  stack = await startOwnStack({ ownStores: true, env: { WORKER_REPLICAS: "1" } });
  sql = connectDatabase(stack.now.database_url, { name: "test", connections: 1 });
});
afterAll(async () => {
  await sql?.end();
  await stack?.stop();
});

const LISTS = [
  ["merchant"],
  ["shop"],
  ["client"],
  ["connection"],
  ["api-key"],
  ["audit", "--limit", "10000"],
];

/** Places that still have the text: tables, Redis keys, logs, the operator's lists and exports. */
async function placesOf(text: string): Promise<string[]> {
  const found: string[] = [];
  const tables = await sql<{ name: string }[]>`
    SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables WHERE schemaname IN ('directory', 'oauth', 'survey')`;
  for (const { name } of tables) {
    const rows = await sql.unsafe(`SELECT FROM ${name} t WHERE strpos(t::text, $1) > 0`, [text]);
    if (rows.length > 0) found.push(`${name}: ${rows.length}`);
  }
  const { redis_url, resource_server_redis_url } = stack.now;
  expect(resource_server_redis_url).not.toBe(redis_url);
  for (const url of [redis_url, resource_server_redis_url]) {
    const keys = await onEachMaster(url, async (redis) => {
      const hits: string[] = [];
      for (const key of await redis.keys("*")) {
        const stored = Buffer.concat([
          Buffer.from(key),
          (await redis.dumpBuffer(key)) ?? Buffer.alloc(0),
        ]);
        if (stored.includes(text)) hits.push(key);
      }
      return hits;
    });
    found.push(...keys.flat().map((key) => `redis ${key}`));
  }
  const logs = join(stack.now.dataDir, "logs");
  for (const file of readdirSync(logs)) {
    if (readFileSync(join(logs, file), "utf8").includes(text)) found.push(`log ${file}`);
  }
  for (const [noun = "", ...more] of LISTS) {
    const { stdout } = await runOperator(stack.now, [noun, "list", ...more, "--json"]);
    if (stdout.includes(text)) found.push(`${noun} list`);
  }
  return found;
}

const erase = (...words: string[]) => operator(stack.now, [...words, "--yes"]);

test("after the erasure of a merchant, shop or client, no table, Redis key, log or list contains its name", {
  timeout: 240_000,
}, async () => {
  const other = await onboardMerchant(stack.now);
  const merchant = await onboardMerchant(stack.now);
  const shop = await onboardShop(stack.now, other);
  await operator(stack.now, ["shop", "add-member", shop.id, merchant.email]);
  const formerEmail = merchant.email;
  const email = `${randomUUID()}@moved.example`;
  await operator(stack.now, ["merchant", "update", formerEmail, "--email", email]);
  const company = `Company ${randomUUID()}`;
  const client = await onboardClient(stack.now, { scope: "responses:read" });
  await operator(stack.now, ["client", "update", client.clientId, "--publisher", company]);
  const marker = randomUUID();
  const answers = generateResponses(300, marker);
  const ofCustomer = answers.map((answer) => ({ ...answer, email: `${marker}@customer.example` }));
  await importRecords(stack.now, "response", shop, ofCustomer);
  const { key } = await onboardApiKey(stack.now, shop);
  const app = partner(stack.now, client);
  const browser = merchantBrowser({ ...merchant, email });
  const tokens = await app.connect(browser, shop);
  await app.refresh(tokens.refreshToken);
  const page = await app.call("/api/responses?limit=50&sort=updated_at_asc", tokens.accessToken);
  expect(page.status).toBe(200);
  await merchantBrowser({ email, password: "wrong" }).openConsent(app.attempt().url);
  await operator(stack.now, ["merchant", "reset-link", email]);
  const [account] = await sql<
    { id: string }[]
  >`SELECT id FROM directory.merchants WHERE email = ${email}`;
  const merchantId = account?.id ?? "";
  const accountHash = hashCredential(email).toString("base64url");
  const sought = {
    merchant: [email, formerEmail, accountHash],
    shop: [shop.name, marker],
    client: [client.name, company],
  };
  for (const text of Object.values(sought).flat())
    expect(await placesOf(text), text).not.toEqual([]);

  await erase("merchant", "erase", email);
  const wrong: string[] = [];
  for (const text of sought.merchant) wrong.push(...(await placesOf(text)));
  expect(await sql`SELECT FROM oauth.connections WHERE merchant_id = ${merchantId}`).toHaveLength(
    1,
  );
  expect((await app.refresh(tokens.refreshToken)).status).toBe(200); // the connection is the shop's
  expect((await browser.open(`${stack.now.base_url}/oauth/connections`)).text).toContain("Sign in");

  await erase("shop", "erase", shop.id);
  for (const text of sought.shop) wrong.push(...(await placesOf(text)));
  expect((await app.refresh(tokens.refreshToken)).json()).toMatchObject({ error: "invalid_grant" });
  expect((await app.call("/api/responses", tokens.accessToken)).status).toBe(403);
  const withKey = await fetch(`${stack.now.base_url}/api/responses`, {
    headers: { authorization: key },
  });
  expect(withKey.status).toBe(401);
  await erase("client", "delete", client.name);
  await until(async () => (await app.refresh(tokens.refreshToken)).status === 401);
  for (const text of sought.client) wrong.push(...(await placesOf(text)));
  // The audit log still has the actions, by ids.
  const places = await placesOf(client.clientId);
  wrong.push(...places.filter((place) => !/audit_log|^log |audit list/.test(place)));
  expect(wrong).toEqual([]);
});
