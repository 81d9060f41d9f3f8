import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { connectDatabase, type Sql } from "@partner-connect/database";
import { freePort } from "@partner-connect/local-stack";
import { PartnerConnect, type StoredConnection } from "@partner-connect/partner-sdk";
import { SqliteStore } from "@partner-connect/partner-sdk/sqlite";
import { temporaryFolder } from "@partner-connect/service-runtime/testing";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type MerchantBrowser, merchantBrowser } from "../harness/actors/merchant-browser.ts";
import { onboardClient, REDIRECT_URI } from "../harness/actors/onboarding.ts";
import { startOpenIdProvider, type TestOpenIdProvider } from "../harness/actors/openid-provider.ts";
import { operator } from "../harness/actors/operator.ts";
import { seededRandom } from "../harness/faults/random-faults.ts";
import { restart } from "../harness/stack/processes.ts";
import { emptyDatabase, type OwnStack, startOwnStack } from "../harness/stack/stacks.ts";
import { readCopy } from "./product/copy.ts";
import { lateCalls } from "./product/late-calls.ts";
import { MERCHANTS, makeShop, randomChanges, SHOPS } from "./product/random-changes.ts";
import { type Restartable, restartable } from "./product/restartable.ts";

const DURATION_MS = process.env["TEST_NIGHTLY"] ? 30 * 60_000 : 40_000;
const TIMEOUT_MS = DURATION_MS + 900_000;
const SEED = Number(process.env["PRODUCT_SEED"] ?? Date.now() % 1_000_000);
const EXAMPLE = fileURLToPath(new URL("../../services/worker/example/", import.meta.url));
const PARTNER = fileURLToPath(new URL("product/partner.main.ts", import.meta.url));
const WAYS = ["feed", "updated_at", "lists"] as const;
/** Long timeouts, because a busy machine may be ten times slower. */
const PATIENT = { interval: 300, timeout: 240_000 };
const FIELDS = ["inserted_at", "question_id", "response", "original_response"] as const;
/** The product's own server has Postgres's defaults, unlike the one of the run. */
const ORDINARY = [
  "search_path = public",
  "default_transaction_isolation = 'read committed'",
  "extra_float_digits = 1",
  "datestyle = iso",
  "lock_timeout = 0",
  "standard_conforming_strings = on",
  "array_nulls = on",
];
const KILL_EVERY_MS = 2000;
const REMAKE_EVERY_MS = 5000;

/** A connection of a partner. `hasEnded`: its shop was deleted. */
interface Life {
  readonly partner: Partner;
  readonly shop: string;
  readonly connection: StoredConnection;
  hasEnded: boolean;
}

type Partner = Awaited<ReturnType<typeof startPartner>>;

const random = seededRandom(SEED);
const lives: Life[] = [];
const folder = temporaryFolder(afterAll);
let provider: TestOpenIdProvider;
let stack: OwnStack;
let database: Awaited<ReturnType<typeof emptyDatabase>>;
/** The survey product's own database. */
let product: Sql;
let productKey: string;
let network: Awaited<ReturnType<typeof lateCalls>>;
let workers: Restartable[];
let partners: Partner[];

beforeAll(async () => {
  console.info(`PRODUCT_SEED=${SEED}`);
  const port = await freePort();
  provider = await startOpenIdProvider(`http://localhost:${port}`);
  const env = { ...provider.env, OPENID_SUBJECT_IS_MERCHANT_ID: "1", WORKER_REPLICAS: "1" };
  [stack, database] = await Promise.all([startOwnStack({ port, env }), emptyDatabase()]);
  product = connectDatabase(database.url, { name: "test", connections: 4 });
  for (const setting of ORDINARY)
    await product.unsafe(
      `ALTER DATABASE ${new URL(database.url).pathname.slice(1)} SET ${setting}`,
    );
  await product.unsafe(await readFile(`${EXAMPLE}product.sql`, "utf8"));
  const created = await operator(stack.now, ["product-key", "create", "--name", "survey"]);
  productKey = created.product_key;
  network = await lateCalls(stack.now.internal_api_url ?? "", random);
  const variables = {
    PRODUCT_DATABASE_URL: database.url,
    INTERNAL_API_URL: network.url,
    PRODUCT_KEY: productKey,
  };
  workers = [1, 2].map(() => restartable(`${EXAMPLE}sync-product.mjs`, variables));
  partners = await Promise.all(WAYS.map(startPartner));
}, 600_000);
afterAll(async () => {
  const programs = [...(workers ?? []), ...(partners ?? []).map(({ program }) => program)];
  await Promise.all(programs.map(({ stop }) => stop()));
  network?.stop();
  await product?.end();
  await Promise.all([stack?.stop(), provider?.stop(), database?.drop()]);
});

/** A partner's program, and what its web site uses to connect shops. */
async function startPartner(way: (typeof WAYS)[number]) {
  const { clientId, secret, name } = await onboardClient(stack.now);
  const [file, baseUrl] = [join(folder, `${way}.db`), stack.now.base_url];
  const client = { baseUrl, clientId, clientSecret: secret, store: new SqliteStore(file) };
  const sdk = new PartnerConnect({ ...client, tokenCallsPerMinute: 6000 });
  const partner = { WAY: way, FILE: file, BASE_URL: baseUrl };
  const env = { ...partner, CLIENT_ID: clientId, CLIENT_SECRET: secret };
  return { way, file, name, clientId, sdk, program: restartable(PARTNER, env) };
}

/** Signs in with the product's account, on the page where an app or an account is opened. */
async function signIn(browser: MerchantBrowser, url: string, subject: string) {
  const page = await browser.open(url);
  const [, link] = /href="(\/oauth\/sign-in\/openid\?[^"]*)"/.exec(page.answer?.text ?? "") ?? [];
  if (!link) return page;
  const begun = await browser.open(new URL(link.replaceAll("&amp;", "&"), page.url).href);
  return await browser.open(await provider.signIn({ location: begun.url }, { subject }));
}

async function connect(partner: Partner, browser: MerchantBrowser, shop: string): Promise<void> {
  const scope = shop === "hats" ? ["responses:read", "sources:write"] : ["responses:read"];
  const { url, pending } = await partner.sdk.beginAuthorization({
    redirectUri: REDIRECT_URI,
    scope,
  });
  // A shop that is made again is sent before its members.
  const callback = await vi.waitFor(async () => {
    const consent = await signIn(browser, url, "ada");
    expect(consent.text).not.toContain("cups"); // another merchant's
    return await browser.press(consent, "Approve", { [shop]: true });
  }, PATIENT);
  const connection = await partner.sdk.completeAuthorization(callback.url, pending);
  lives.push({ partner, shop, connection, hasEnded: false });
}

/** Connects all partners again, once the deletion and the new shop have been sent. */
async function connectAgain(browser: MerchantBrowser, shop: string): Promise<void> {
  const erasures = () =>
    product`SELECT position FROM outbox WHERE subject = ${`shop ${shop}`} AND is_erasure`;
  await expect.poll(erasures, PATIENT).toEqual([]);
  for (const partner of partners) await connect(partner, browser, shop);
}

/** Up to five differences between a partner's copy and the product. */
async function differences(partner: Partner): Promise<string[]> {
  const { statuses, records } = readCopy(partner.file);
  const own = lives.filter((life) => life.partner === partner);
  const found = own
    .filter(({ connection, hasEnded }) => (statuses.get(connection.id) === "revoked") !== hasEnded)
    .map(({ connection: { id } }) => `${id} is ${statuses.get(id)}`);
  for (const { connection, shop } of own.filter(({ hasEnded }) => !hasEnded)) {
    const expected = new Map<string, unknown>();
    const responses = await product`SELECT * FROM responses WHERE shop_id = ${shop}`;
    for (const row of responses) {
      const fields = FIELDS.map((name) => row[name]);
      expected.set(`response ${row["id"]}`, fields);
    }
    const questions = await product`SELECT id, prompt FROM questions WHERE shop_id = ${shop}`;
    for (const { id, prompt } of questions) expected.set(`question ${id}`, prompt);
    const prefix = `${connection.id} `;
    const keys = [...records.keys()]
      .filter((key) => key.startsWith(prefix))
      .map((key) => key.slice(prefix.length));
    for (const key of new Set([...expected.keys(), ...keys])) {
      const copied = records.get(prefix + key);
      const actual = key.startsWith("question ")
        ? copied?.prompt
        : copied && FIELDS.map((name) => copied[name]);
      const [is, should] = [JSON.stringify(actual), JSON.stringify(expected.get(key))];
      if (is !== should) found.push(`${prefix}${key}: ${is} instead of ${should}`);
      if (copied?.question === null) found.push(`${prefix}${key}: no question`);
    }
  }
  return found.slice(0, 5);
}

async function readBack(shop: string) {
  const headers = { authorization: `Bearer ${productKey}` };
  const answer = await fetch(`${stack.now.internal_api_url}/internal/shops/${shop}`, { headers });
  const { updated_at: _, ...record } = (await answer.json()) as Record<string, unknown>;
  return record;
}

async function shopOfProduct(id: string) {
  const [shop] = await product`
    SELECT id, name, domain, plan,
      (SELECT count(*)::integer FROM responses WHERE shop_id = shops.id) AS responses,
      (SELECT count(*)::integer FROM questions WHERE shop_id = shops.id) AS questions,
      (SELECT count(*)::integer FROM members WHERE shop_id = shops.id) AS members
    FROM shops WHERE id = ${id}`;
  const { responses, questions, members, ...record } = shop ?? {};
  return { ...record, counts: { responses, questions, members, connections: partners.length } };
}

test(
  `after ${DURATION_MS / 1000} s of random changes and kills, the partners' copies equal the product's tables, and deleted shops are disconnected`,
  async () => {
    for (const id of MERCHANTS)
      await product`INSERT INTO merchants VALUES (${id}, ${`${id}@product.example`}, ${id})`;
    for (const id of SHOPS) await makeShop(product, id);
    await product`INSERT INTO shops VALUES ('cups', 'cups', NULL, 'standard')`;
    await product`INSERT INTO responses SELECT 'hats', 'load-' || n, now(), 1, 'TV' FROM generate_series(1, 2000) AS n`;
    await expect.poll(() => product`SELECT * FROM outbox LIMIT 3`, PATIENT).toEqual([]);

    const [ada, ben] = [1, 2].map(() => merchantBrowser({ email: "", password: "" })) as [
      MerchantBrowser,
      MerchantBrowser,
    ];
    const account = `${stack.now.base_url}/oauth/connections`;
    const people = [
      { browser: ada, id: "ada" },
      { browser: ben, id: "ben" },
    ];
    for (const { browser, id } of people) {
      expect((await signIn(browser, account, id)).text).toContain(`${id}@product.example`);
    }
    for (const shop of SHOPS) await connectAgain(ada, shop);

    const changes = randomChanges(product, random);
    const kills = [
      ...[...workers, ...partners.map(({ program }) => program)].map(({ kill }) => kill),
      ...["back-office", "worker"].map((name) => () => restart(stack, name, "SIGKILL")),
    ];
    const [first] = lives;
    const sources: string[] = [];
    let [remade, killed] = [0, 0];
    let remakeAt = performance.now() + REMAKE_EVERY_MS;
    const end = performance.now() + DURATION_MS;
    const untilEnd = async (pause: number, work: () => Promise<unknown>) => {
      for (; performance.now() < end; await sleep(pause)) await work();
    };
    const connecting = new Map<string, Promise<void>>();
    await Promise.all([
      untilEnd(20, async () => {
        const shop = SHOPS[1 + (remade % 2)] as string;
        if (performance.now() < remakeAt || connecting.has(shop)) return await changes.next();
        remakeAt = performance.now() + REMAKE_EVERY_MS;
        remade += 1;
        for (const life of lives) if (life.shop === shop) life.hasEnded = true;
        await changes.remakeShop(shop);
        const connected = connectAgain(ada, shop).finally(() => connecting.delete(shop));
        connecting.set(shop, connected);
      }),
      untilEnd(KILL_EVERY_MS, () => kills[killed++ % kills.length]?.() ?? Promise.resolve()),
      untilEnd(300, () => network.sendLate()),
      untilEnd(1000, async () => {
        const source = { name: `Hat Weekly ${sources.length}`, type: "newsletter" } as const;
        const { partner, connection } = first as Life;
        sources.push((await partner.sdk.shop(connection.id).createSource(source)).id);
      }),
    ]);
    // Both workers are down when this person is deleted and made again.
    await Promise.all(workers.map(({ stop }) => stop()));
    await changes.remakeMerchant("ben");
    await Promise.all(workers.map(({ kill }) => kill()));
    await Promise.all(connecting.values());
    console.info({
      changes: changes.count(),
      remade,
      killed,
      ...network.counts,
      sources: sources.length,
    });

    await expect
      .poll(() => product`SELECT kind, id, refused FROM outbox LIMIT 3`, PATIENT)
      .toEqual([]);
    for (const partner of partners)
      await expect.poll(() => differences(partner), PATIENT).toEqual([]);
    for (const shop of SHOPS) expect(await readBack(shop)).toEqual(await shopOfProduct(shop));
    const received = () =>
      product`SELECT id FROM sources WHERE client_id = ${(first as Life).partner.clientId} ORDER BY id`;
    await expect.poll(received, PATIENT).toEqual(sources.sort().map((id) => ({ id })));
    // The erased person's session has ended, and each partner's refresh says why.
    expect((await ben.open(account)).text).not.toContain("ben@product.example");
    for (const { partner, connection } of lives.filter(({ hasEnded }) => hasEnded)) {
      await expect(partner.sdk.shop(connection.id).connection()).rejects.toMatchObject({
        reason: "grant revoked",
      });
    }
    const programs = [...workers, ...partners.map(({ program }) => program)];
    expect(programs.flatMap(({ faults }) => faults)).toEqual([]);
    expect(network.counts.late).toBeGreaterThan(0);
  },
  TIMEOUT_MS,
);
