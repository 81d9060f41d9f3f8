import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { mailedLink, mailsTo, passLinkTime, WITH_MAIL } from "../testing/mails.ts";
import type { MerchantBrowser, Page } from "../testing/merchant-browser.ts";
import { type MerchantFixture, merchantFixture, type TestMerchant } from "../testing/merchant-fixture.ts";

const NEW = "quinces ripen in late october";
const SIGN_OUT = "Sign out everywhere";

let fixture: MerchantFixture;
let ada: TestMerchant;
let shopId: string;
let connectionId: string;

beforeAll(async () => {
  fixture = await merchantFixture({ replicas: 2, env: WITH_MAIL });
});
afterAll(() => fixture?.replicas.stop());
beforeEach(async () => {
  const { replicas } = fixture;
  ada = await fixture.registerMerchant();
  shopId = await fixture.registerShop("Fern & Field", "standard", ada);
  const { clientId } = fixture.client;
  await replicas.approveAndIssueCode({ clientId, shopId, merchantId: ada.id });
  await replicas.sql`UPDATE oauth.connections SET status = 'connected', connected_at = now() WHERE shop_id = ${shopId}`;
  connectionId = String((await fixture.connectionOf(shopId))?.["id"]);
});

const tokenFor = async (about: Readonly<Record<string, unknown>>, merchant = ada) =>
  await mailedLink(fixture, merchant, { purpose: "not_me", about });
const ofApp = () => tokenFor({ kind: "app_connected", shop_id: shopId, connection_id: connectionId });
const ofAccount = () => tokenFor({ kind: "new_device" });
const path = (token: string) => `/oauth/not-me?link=${token}`;
const status = async () => (await fixture.connectionOf(shopId))?.["status"];
const records = async (action: string) =>
  await fixture.replicas.sql`
    SELECT actor, details FROM oauth.audit_log WHERE shop_id = ${shopId} AND event = ${action}
    UNION ALL SELECT actor, details FROM directory.audit_log WHERE merchant_id = ${ada.id} AND event = ${action}`;

async function signedIn(): Promise<MerchantBrowser> {
  const browser = fixture.browser();
  await fixture.signIn(browser, await browser.open("/oauth/sign-in"), ada);
  return browser;
}
const isSignedIn = async (browser: MerchantBrowser) => (await browser.open("/oauth/connections")).status === 200;

function expectEnded(page: Page): void {
  expect(page.status).toBe(410);
  expect(page.html).toContain("Such a link works once and for seven days.");
  expect(page.html).toContain('href="/oauth/password/forgot"');
}

describe("'This wasn't me' in the mail of a connection", () => {
  test("shows what it will do and does nothing, however often it is opened; its button ends the connection", async () => {
    const token = await ofApp();
    const browser = fixture.browser();
    for (let look = 0; look < 3; look += 1) await browser.open(path(token));
    const page = await browser.open(path(token));
    expect(page.html).toMatch(/<bdi>[^<]+<\/bdi> has access to <bdi>Fern &amp; Field<\/bdi>/);
    expect(await status()).toBe("connected");
    const answer = await browser.press(page, "Disconnect");
    expect([answer.status, answer.location]).toEqual([303, `${path(token)}&done=1`]);
    expect(await status()).toBe("revoked");
    const done = await browser.open(answer.location ?? "");
    expect(done.html).toContain("is disconnected and no longer has access to <bdi>Fern &amp; Field</bdi>.");
    expect(done.html).toContain("set a new one as well");
    expect(await records("revoke")).toMatchObject([
      { actor: `merchant:${ada.id}`, details: { reason: "disconnected by the link of a mail" } },
    ]);
    // She did it herself.
    expect(await mailsTo(fixture, ada)).toEqual([]);
  });

  test("opened again says that nothing is left to disconnect; it ends no later connection", async () => {
    const token = await ofApp();
    const browser = fixture.browser();
    const page = await browser.open(path(token));
    await browser.press(page, "Disconnect");
    expect((await browser.open(path(token))).html).toContain("There is nothing left to disconnect.");
    expect((await browser.press(page, "Disconnect")).status).toBe(303);
    await fixture.replicas.sql`UPDATE oauth.connections SET status = 'connected' WHERE shop_id = ${shopId}`;
    expectEnded(await browser.open(path(token)));
    await browser.press(page, "Disconnect");
    expect(await status()).toBe("connected");
    expect(await records("revoke")).toHaveLength(1);
  });

  test("pressed twice at once, on two replicas, ends it once; both are told so", async () => {
    const token = await ofApp();
    const browsers = [fixture.browser(), fixture.browser()];
    const pages = await Promise.all(browsers.map((browser) => browser.open(path(token))));
    const answers = await Promise.all(
      browsers.map(async (browser, n) => await browser.press(pages[n] ?? expect.fail(), "Disconnect")),
    );
    for (const [n, { location }] of answers.entries()) {
      expect((await browsers[n]?.open(location ?? ""))?.html).toContain("is disconnected");
    }
    expect(await records("revoke")).toHaveLength(1);
  });

  test("ends what was approved again since, too: a thief can't keep it by another approval", async () => {
    const token = await ofApp();
    const { clientId } = fixture.client;
    await fixture.replicas.approveAndIssueCode({ clientId, shopId, merchantId: ada.id });
    const browser = fixture.browser();
    await browser.press(await browser.open(path(token)), "Disconnect");
    expect(await status()).toBe("revoked");
  });

  test("is of no use to who has left the shop", async () => {
    const token = await ofApp();
    const browser = fixture.browser();
    const page = await browser.open(path(token));
    await fixture.replicas.sql`DELETE FROM directory.memberships WHERE merchant_id = ${ada.id}`;
    expectEnded(await browser.press(page, "Disconnect"));
    expectEnded(await browser.open(path(token)));
    expect(await status()).toBe("connected");
  });
});

describe("'This wasn't me' in a mail about the account", () => {
  test("ends all sessions, and leads on to a new password", async () => {
    const [thief, own] = [await signedIn(), await signedIn()];
    const token = await ofAccount();
    const page = await own.open(path(token));
    expect(page.html).toContain(`know the password of <strong><bdi>${ada.email}</bdi></strong>`);
    expect(await isSignedIn(thief)).toBe(true);
    const answer = await own.press(page, SIGN_OUT);
    expect(answer.location).toMatch(/^\/oauth\/password\/reset\?link=pcl_/);
    expect([await isSignedIn(thief), await isSignedIn(own)]).toEqual([false, false]);
    const form = await own.open(answer.location ?? "");
    await own.press(form, "Set password", { new_password: NEW, new_password_again: NEW });
    expect((await fixture.signIn(own, await own.open("/oauth/sign-in"), ada, NEW)).status).toBe(303);
    expect(await records("merchant_sign_out_everywhere")).toMatchObject([
      { actor: `merchant:${ada.id}`, details: { by: "mail" } },
    ]);
  });

  test("works once, also when it is pressed twice at once", async () => {
    const token = await ofAccount();
    const browsers = [fixture.browser(), fixture.browser()];
    const pages = await Promise.all(browsers.map((browser) => browser.open(path(token))));
    const answers = await Promise.all(
      browsers.map(async (browser, n) => await browser.press(pages[n] ?? expect.fail(), SIGN_OUT)),
    );
    expect(answers.map((answer) => answer.status).sort()).toEqual([303, 410]);
    expectEnded(await fixture.browser().open(path(token)));
  });

  test("leads to no password where merchants sign in elsewhere alone", async () => {
    const openId = {
      OIDC_ISSUER: "https://id.example",
      OIDC_CLIENT_ID: "us",
      OIDC_CLIENT_SECRET: "s",
      OIDC_NAME: "Id",
    };
    const elsewhere = await merchantFixture({ env: { ...WITH_MAIL, ...openId, OIDC_ONLY: "true" } });
    const merchant = await elsewhere.registerMerchant();
    const token = await mailedLink(elsewhere, merchant, { purpose: "not_me", about: { kind: "new_device" } });
    const browser = elsewhere.browser();
    const page = await browser.open(path(token));
    expect(page.html).not.toContain("choose a new password");
    expect((await browser.press(page, SIGN_OUT)).location).toBe("/oauth/sign-in?signed_out=1");
    const ended = await browser.open(path(token));
    expect([ended.status, ended.html.includes("/oauth/password")]).toEqual([410, false]);
    await elsewhere.replicas.stop();
  });

  test("is of no use to who has another address by now, nor to who has got the former one", async () => {
    const token = await ofAccount();
    const { sql } = fixture.replicas;
    await sql`UPDATE directory.merchants SET email = ${`new-${ada.email}`} WHERE id = ${ada.id}`;
    expectEnded(await fixture.browser().open(path(token)));
    const other = await fixture.registerMerchant();
    await sql`UPDATE directory.merchants SET email = ${ada.email} WHERE id = ${other.id}`;
    expectEnded(await fixture.browser().open(path(token)));
  });

  test("is of no use to a paused account", async () => {
    const token = await ofAccount();
    const browser = fixture.browser();
    const page = await browser.open(path(token));
    await fixture.replicas.sql`UPDATE directory.merchants SET status = 'disabled' WHERE id = ${ada.id}`;
    expectEnded(await browser.press(page, SIGN_OUT));
  });
});

describe("a link 'This wasn't me'", () => {
  test.each([
    ["missing", ""],
    ["of another form", "?link=%00"],
    ["invented", `?link=pcn_${"a".repeat(43)}`],
    ["given twice", `?link=pcn_${"a".repeat(43)}&link=pcn_${"a".repeat(43)}`],
  ])("that is %s says so, and what to do", async (_, query) => {
    expectEnded(await fixture.browser().open(`/oauth/not-me${query}`));
  });

  test("that is of another purpose does nothing, nor does one that has expired", async () => {
    const reset = await mailedLink(fixture, ada, { purpose: "reset_password" });
    expectEnded(await fixture.browser().open(path(reset)));
    for (const token of [await ofApp(), await ofAccount()]) {
      await passLinkTime(fixture, token, 7 * 24 * 60 - 1);
      const browser = fixture.browser();
      const page = await browser.open(path(token));
      expect(page.status).toBe(200);
      await passLinkTime(fixture, token, 1);
      expectEnded(await browser.open(path(token)));
      expectEnded(await browser.press(page, page.html.includes(SIGN_OUT) ? SIGN_OUT : "Disconnect"));
    }
    expect(await status()).toBe("connected");
  });

  test.each([
    ["an app", "Disconnect", ofApp],
    ["the account", SIGN_OUT, ofAccount],
  ])("of %s, sent with the form of another browser, does nothing, and asks once more", async (_, button, make) => {
    const token = await make();
    const [browser, other] = [fixture.browser(), fixture.browser()];
    const page = await browser.open(path(token));
    await other.open(path(token));
    const asked = await other.press(page, button);
    expect(asked.status).toBe(403);
    expect(asked.html).toContain("nothing was done");
    expect(await status()).toBe("connected");
    expect((await other.press(asked, button)).status).toBe(303);
  });

  test("is named in no referrer, and kept by nobody", async () => {
    for (const token of [await ofApp(), await ofAccount(), "x"]) {
      const { headers } = await fixture.browser().open(path(token));
      expect([headers["referrer-policy"], headers["cache-control"]]).toEqual(["strict-origin", "no-store"]);
    }
  });
});
