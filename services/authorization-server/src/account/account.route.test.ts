import { createHmac } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { MerchantBrowser, Page } from "../testing/merchant-browser.ts";
import { type MerchantFixture, merchantFixture, type TestMerchant } from "../testing/merchant-fixture.ts";

const FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";
const IPHONE =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1";

let fixture: MerchantFixture;

beforeAll(async () => {
  fixture = await merchantFixture({ replicas: 2 });
});
afterAll(() => fixture?.replicas.stop());

async function signedIn(merchant: TestMerchant, agent = FIREFOX): Promise<MerchantBrowser> {
  const browser = fixture.browser();
  const page = await browser.open("/oauth/sign-in");
  await browser.press(
    page,
    "Sign in",
    { email: merchant.email, password: "a long enough password" },
    { "user-agent": agent },
  );
  return browser;
}

const account = (browser: MerchantBrowser) => browser.open("/oauth/account");
const isSignedIn = async (browser: MerchantBrowser) => (await account(browser)).status === 200;
/** The sessions that the page lists, with what it says of each. */
const listed = ({ html }: Page) =>
  [...html.matchAll(/<p id="session-[^"]+">(.*?)<\/p>\s*<p class="fine">From <bdi>([^<]+)/g)].map(
    ([, device, address]) => [device?.replace(/<\/?b>/g, ""), address],
  );
const epochOf = async ({ id }: TestMerchant) =>
  (await fixture.replicas.sql`SELECT session_epoch AS epoch FROM directory.merchants WHERE id = ${id}`)[0]?.["epoch"];

describe("the page of an account", () => {
  test("says who it is and where it is signed in, this browser marked", async () => {
    const ada = await fixture.registerMerchant();
    const [browser, phone] = [await signedIn(ada), await signedIn(ada, IPHONE)];
    await isSignedIn(phone);
    const page = await account(browser);
    expect(page.html).toContain(ada.email);
    expect(listed(page)).toEqual([
      ["Firefox, Linux (this browser)", expect.stringMatching(/^10\./)],
      ["Safari, iPhone", expect.stringMatching(/^10\./)],
    ]);
    expect(page.html).toMatch(/href="\/oauth\/password"/);
    expect(page.html.length).toBeLessThan(20_000);
    expect((await fixture.browser().open("/oauth/account")).location).toMatch(/^\/oauth\/sign-in\?return=/);
  });

  test("ends one session, and the others go on; it is recorded", async () => {
    const ada = await fixture.registerMerchant();
    const [browser, phone, tablet] = [await signedIn(ada), await signedIn(ada, IPHONE), await signedIn(ada, "curl/8")];
    await isSignedIn(tablet);
    const page = await account(browser);
    expect(page.html).toContain("Unknown browser");
    const hash = /Safari[\s\S]*?name="session" value="([^"]+)"/.exec(page.html)?.[1] ?? "";
    const done = await browser.press(page, "End session", { session: hash });
    expect(done.location).toBe("/oauth/account?done=one");
    expect((await browser.open(done.location ?? "")).html).toContain("The session has ended.");
    expect([await isSignedIn(browser), await isSignedIn(phone), await isSignedIn(tablet)]).toEqual([true, false, true]);
    const records = await fixture.replicas.sql`
      SELECT actor FROM directory.audit_log WHERE merchant_id = ${ada.id} AND event = 'merchant_end_session'`;
    expect(records).toEqual([{ actor: `merchant:${ada.id}` }]);
  });

  test("ends all others at once, also twice at the same time, and keeps this one", async () => {
    const ada = await fixture.registerMerchant();
    const browser = await signedIn(ada);
    const others = [await signedIn(ada, IPHONE), await signedIn(ada)];
    const page = await account(browser);
    const press = () => browser.press(page, "End all other sessions");
    const both = await Promise.all([press(), press()]);
    expect(both.map(({ status }) => status)).toEqual([303, 303]);
    expect(await Promise.all(others.map(isSignedIn))).toEqual([false, false]);
    const left = await account(browser);
    expect([left.status, listed(left).length]).toEqual([200, 1]);
  });

  test("keeps this one also where it is asked for after the others ended and before it is noted as kept", async () => {
    const { redis, sql } = fixture.replicas;
    const ada = await fixture.registerMerchant();
    const browser = await signedIn(ada);
    const hash = /id="session-([^"]+)"/.exec((await account(browser)).html)?.[1] ?? "";
    const key = `merchant_session:${hash}`;
    // As the request that ends the others does, in two steps.
    await sql`UPDATE directory.merchants SET session_epoch = session_epoch + 1 WHERE id = ${ada.id}`;
    expect(await isSignedIn(browser)).toBe(false);
    const session = JSON.parse((await redis.get(key)) ?? expect.fail("the session is gone"));
    await redis.set(key, JSON.stringify({ ...session, accountEpoch: session.accountEpoch + 1 }), "EX", 3600, "XX");
    expect(await isSignedIn(browser)).toBe(true);
  });

  test("of another merchant's session, or one that never was, says that it ended, and ends nothing", async () => {
    const [browser, stranger] = [
      await signedIn(await fixture.registerMerchant()),
      await signedIn(await fixture.registerMerchant()),
    ];
    const hash = /id="session-([^"]+)"/.exec((await account(stranger)).html)?.[1] ?? "";
    const page = await account(browser);
    for (const session of [hash, "", "x", "__proto__", "a".repeat(9000)]) {
      const answer = await post(browser, page, session);
      expect(answer.status).toBe(409);
      expect(answer.html).toContain("This session had ended already. Nothing was changed.");
    }
    expect([await isSignedIn(browser), await isSignedIn(stranger)]).toEqual([true, true]);
  });

  test("does nothing by a form that is out of date or of another browser, and leads back once the session ended", async () => {
    const ada = await fixture.registerMerchant();
    const browser = await signedIn(ada);
    const page = await withOther(browser, ada);
    const refused = await browser.press(page, "End session", { token: "forged" });
    expect([refused.status, refused.html.includes("nothing was changed")]).toEqual([403, true]);
    browser.cookies.delete("__Host-merchant_session");
    const led = await browser.press(page, "End session");
    expect(led.location).toMatch(/^\/oauth\/sign-in\?return=/);
    expect((await fixture.signIn(browser, await browser.open(led.location ?? ""), ada)).location).toBe(
      "/oauth/account",
    );
    expect(await epochOf(ada)).toBe(1);
  });
});

test("a merchant has twenty sessions at most: one more ends the oldest, and ended ones leave the index", async () => {
  const ada = await fixture.registerMerchant();
  const first = await signedIn(ada);
  const { redis } = fixture.replicas;
  const index = `merchant_sessions:${ada.id}`;
  const browsers = await Promise.all(Array.from({ length: 19 }, () => signedIn(ada)));
  expect(await isSignedIn(first)).toBe(true);
  // One that has ended makes room for one.
  await browsers[0]?.press(await account(browsers[0]), "Sign out");
  await signedIn(ada);
  expect([await isSignedIn(first), await redis.zcard(index)]).toEqual([true, 20]);
  await signedIn(ada);
  expect([await isSignedIn(first), await redis.zcard(index)]).toEqual([false, 20]);
  expect(await redis.ttl(index)).toBeGreaterThan(12 * 3600 - 60);
  expect(listed(await account(browsers[1] ?? first))).toHaveLength(20);
});

test("a session that the former release began goes on, and is in no list", async () => {
  const ada = await fixture.registerMerchant();
  const browser = await signedIn(ada);
  const { redis } = fixture.replicas;
  const hash = /id="session-([^"]+)"/.exec((await account(browser)).html)?.[1] ?? "";
  const session = { merchantId: ada.id, signedInAt: Date.now(), epoch: "0", accountEpoch: 1 };
  await redis.set(`merchant_session:${hash}`, JSON.stringify(session), "EX", 3600);
  await redis.del(`merchant_sessions:${ada.id}`);
  const page = await account(browser);
  expect([page.status, listed(page)]).toEqual([200, []]);
});

async function withOther(browser: MerchantBrowser, merchant: TestMerchant): Promise<Page> {
  await signedIn(merchant);
  return await account(browser);
}

/** The page's form with this session. */
async function post(browser: MerchantBrowser, page: Page, session: string): Promise<Page> {
  const secret = browser.cookies.get("__Host-merchant_browser") ?? "";
  const token = createHmac("sha256", secret).update("/oauth/account").digest("base64url");
  const inputs = [{ name: "token", value: token, type: "hidden", label: "", checked: false, disabled: false }];
  const buttons = [{ text: "Post", name: "session", value: session, formaction: undefined }];
  const form = { action: "/oauth/account", method: "POST" as const, inputs, radios: [], fields: {}, buttons };
  return await browser.press({ ...page, forms: [form] }, "Post");
}
