import { type Door, doorTo, type OwnRedis, ownRedis } from "@partner-connect/service-runtime/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Page } from "../testing/merchant-browser.ts";
import { type MerchantFixture, merchantFixture, offered, type TestMerchant } from "../testing/merchant-fixture.ts";

let store: OwnRedis;
let redis: Door;
let fixture: MerchantFixture;
let ada: TestMerchant;
let fern: string;

beforeAll(async () => {
  store = await ownRedis();
  redis = await doorTo(store.url);
  fixture = await merchantFixture({ redisUrl: redis.url });
  ada = await fixture.registerMerchant();
  fern = await fixture.registerShop("Fern & Field", "standard", ada);
});
afterAll(async () => {
  await fixture?.replicas.stop();
  await store?.stop();
});

/** The one answer to any fault of a store: a page, soon, that blames nobody. */
function expectUnavailable(page: Page): void {
  expect(page.status).toBe(503);
  expect(Number(page.headers["retry-after"])).toBeGreaterThan(0);
  expect(page.html).toContain("Please try again shortly");
  expect(page.html).not.toContain("Incorrect email");
}

/** Runs `work` while nobody can read the merchants or the connections. */
async function withPostgresStuck(work: () => Promise<void>): Promise<void> {
  await fixture.replicas.sql.begin(async (transaction) => {
    await transaction`LOCK TABLE directory.merchants, oauth.connections IN ACCESS EXCLUSIVE MODE`;
    await work();
  });
}

describe("while Postgres does not answer", () => {
  test("signing in is unavailable, not refused", async () => {
    const browser = fixture.browser();
    const page = await browser.open("/oauth/sign-in");
    await withPostgresStuck(async () => expectUnavailable(await fixture.signIn(browser, page, ada)));
    expect((await fixture.signIn(browser, page, ada)).status).toBe(303);
  });

  test("an approval is unavailable, and works when it is pressed again", async () => {
    const browser = fixture.browser();
    const { page } = await fixture.consent(browser, ada);
    const approve = () => browser.press(page, "Approve", { shop: offered(page, "Fern & Field") });
    await withPostgresStuck(async () => expectUnavailable(await approve()));
    const target = await browser.follow(await approve());
    expect(target.searchParams.get("code")).toBeTruthy();
    expect(await fixture.connectionOf(fern)).toMatchObject({ scope: ["responses:read"] });
  });
});

describe("while Redis is away", () => {
  test("every page says so, and a merchant is not signed out by it", async () => {
    const browser = fixture.browser();
    const { path, page } = await fixture.consent(browser, ada);
    redis.close();
    expectUnavailable(await browser.open(path));
    expectUnavailable(await browser.open("/oauth/connections"));
    expectUnavailable(await browser.open("/oauth/password"));
    expectUnavailable(await browser.press(page, "Approve", { shop: offered(page, "Fern & Field") }));
    const stranger = fixture.browser();
    expectUnavailable(await fixture.signIn(stranger, await stranger.open("/oauth/sign-in"), ada));
    expect(browser.cookies.has("__Host-merchant_session")).toBe(true);
  });
});
