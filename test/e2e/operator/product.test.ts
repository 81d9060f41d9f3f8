import { type ChildProcess, spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { connectDatabase, type Sql } from "@partner-connect/database";
import { freePort } from "@partner-connect/local-stack";
import { MemoryStore, PartnerConnect, ReconnectRequired } from "@partner-connect/partner-sdk";
import { afterAll, beforeAll, expect, test } from "vitest";
import { merchantBrowser } from "../../harness/actors/merchant-browser.ts";
import { onboardClient, REDIRECT_URI } from "../../harness/actors/onboarding.ts";
import { openIdProvider, type TestOpenIdProvider } from "../../harness/actors/openid-provider.ts";
import { operator } from "../../harness/actors/operator.ts";
import { emptyDatabase, type OwnStack, startOwnStack } from "../../harness/stack/stacks.ts";

const EXAMPLE = fileURLToPath(new URL("../../../services/worker/example/", import.meta.url));
const KILLS = 20;
const PATIENT = { interval: 50, timeout: 60_000 };

let provider: TestOpenIdProvider;
let stack: OwnStack;
let database: Awaited<ReturnType<typeof emptyDatabase>>;
/** The survey product's own database. */
let product: Sql;
let sync: ChildProcess;

beforeAll(async () => {
  const port = await freePort();
  provider = await openIdProvider(`http://localhost:${port}`);
  const env = { ...provider.env, OPENID_SUBJECT_IS_MERCHANT_ID: "1", WORKER_REPLICAS: "1" };
  [stack, database] = await Promise.all([startOwnStack({ port, env }), emptyDatabase()]);
  product = connectDatabase(database.url, { name: "test", connections: 2 });
  await product.unsafe(await readFile(`${EXAMPLE}product.sql`, "utf8"));
  const { product_key } = await operator(stack.now, ["product-key", "create", "--name", "survey"]);
  sync = spawn(process.execPath, [`${EXAMPLE}sync-product.ts`], {
    env: { PRODUCT_DATABASE_URL: database.url, INTERNAL_API_URL: stack.now.internal_api_url, PRODUCT_KEY: product_key },
    stdio: ["ignore", "inherit", "inherit"],
  });
}, 120_000);
afterAll(async () => {
  sync?.kill();
  await product?.end();
  await Promise.all([stack?.stop(), provider?.stop(), database?.drop()]);
});

const backOffice = () => stack.now.processes.find(({ name }) => name === "back-office")?.pid as number;

/** Waits until the program has sent everything, and expects no refusal. */
async function untilSent(): Promise<void> {
  await expect.poll(() => product`SELECT kind, id, refused FROM outbox LIMIT 3`, PATIENT).toEqual([]);
}

test("a product's shops and responses come in, a merchant signed in there connects an app, and the app's sources go back, while the back office is killed again and again", async () => {
  // The product has two merchants and three shops, one of them with 5,000 responses.
  await product`INSERT INTO merchants VALUES ('m-1', 'ada@product.example', 'Ada'), ('m-2', 'ben@product.example', 'Ben')`;
  await product`
    INSERT INTO shops VALUES ('hats', 'Hats', 'hats.example', 'advanced_attribution'),
      ('shoes~2', 'Shoes', NULL, 'standard'), ('3', 'Cups', 'cups.example', 'standard')`;
  await product`INSERT INTO members VALUES ('hats', 'm-1'), ('shoes~2', 'm-1'), ('3', 'm-2')`;
  await product`INSERT INTO questions SELECT id, 1, 'How did you hear about us?' FROM shops`;
  await product`INSERT INTO responses SELECT 'hats', 'r-' || n, 1, 'TV' FROM generate_series(1, 5000) AS n`;
  await product`INSERT INTO responses SELECT '3', 'r-' || n, 1, 'Radio' FROM generate_series(1, 10) AS n`;
  await untilSent();

  // Ada, who has no password here, connects an app.
  const client = await onboardClient(stack.now, { name: "Lookout" });
  const partner = new PartnerConnect({
    ...{ baseUrl: stack.now.base_url, clientId: client.clientId, clientSecret: client.secret },
    store: new MemoryStore(),
  });
  const scope = ["responses:read", "sources:write"];
  const { url, pending } = await partner.beginAuthorization({ redirectUri: REDIRECT_URI, scope });
  const browser = merchantBrowser({ email: "", password: "" });
  const signIn = await browser.open(url);
  const [, link = ""] = /href="(\/oauth\/sign-in\/openid\?[^"]*)"/.exec(signIn.answer?.text ?? "") ?? [];
  const begun = await browser.open(new URL(link.replaceAll("&amp;", "&"), signIn.url).href);
  const consent = await browser.open(await provider.signIn({ location: begun.url }, { subject: "m-1" }));
  expect(consent.text).toMatch(/Hats[\s\S]*Shoes/);
  expect(consent.text).not.toContain("Cups");
  const callback = await browser.press(consent, "Approve", { Hats: true });
  const connection = await partner.completeAuthorization(callback.url, pending);
  expect(connection.shop.id).toBe("hats");

  const shop = partner.shop(connection.id);
  const expectSame = async () => {
    const listed = await Array.fromAsync(shop.listResponses({ limit: 1000 }), ({ id, response }) => [id, response]);
    const rows = await product`SELECT id, response FROM responses WHERE shop_id = 'hats'`;
    expect(Object.fromEntries(listed)).toEqual(Object.fromEntries(rows.map(({ id, response }) => [id, response])));
  };
  await expectSame();

  // Each time the back office is killed, the product adds, recategorizes and deletes, and the app creates a source.
  const created: string[] = [];
  for (let round = 1; round <= KILLS; round++) {
    await Promise.all([
      product`INSERT INTO responses SELECT 'hats', ${`n-${round}-`} || n, 1, 'TV' FROM generate_series(1, 100) AS n`,
      product`
        UPDATE responses SET response = ${`Podcast ${round}`}, original_response = 'TV'
        WHERE shop_id = 'hats' AND id LIKE ${`r-${round}__`}`,
      product`DELETE FROM responses WHERE shop_id = 'hats' AND id = ${`r-${round}`}`,
    ]);
    const before = backOffice();
    process.kill(before, "SIGKILL");
    created.push((await shop.createSource({ name: `Hat Weekly ${round}`, type: "newsletter" })).id);
    await expect.poll(backOffice, PATIENT).not.toBe(before);
  }
  await untilSent();
  await expectSame();
  const received = () => product`SELECT shop_id, id, client_id FROM sources ORDER BY id`;
  await expect
    .poll(received, PATIENT)
    .toEqual(created.sort().map((id) => ({ shop_id: "hats", id, client_id: client.clientId })));

  // Deletions in the product take effect here.
  await product`DELETE FROM shops WHERE id = 'hats'`;
  await untilSent();
  await expect(shop.connection()).rejects.toThrow(ReconnectRequired);
}, 240_000);
