import { randomUUID } from "node:crypto";
import { createAccount, createResetLink, RESET_PASSWORD_PATH } from "@partner-connect/directory";
import { TEST_OPERATOR } from "@partner-connect/directory/testing";
import { describe, expect, test } from "vitest";
import type { MerchantBrowser, Page } from "../testing/merchant-browser.ts";
import { merchantFixture, PASSWORD, suiteFixture, type TestMerchant } from "../testing/merchant-fixture.ts";
import { passTime } from "../testing/pass-time.ts";

const NEW = "quinces ripen in late october";

const fixture = await suiteFixture({ replicas: 2 });
let ada: TestMerchant;
let path: string;

async function linkFor(merchant: TestMerchant): Promise<string> {
  const { token } = await createResetLink(fixture.replicas.sql, merchant.email, TEST_OPERATOR);
  return `${RESET_PASSWORD_PATH}?link=${token}`;
}

async function signedIn(merchant: TestMerchant, password = PASSWORD): Promise<MerchantBrowser> {
  const browser = fixture.browser();
  await fixture.signIn(browser, await browser.open("/oauth/sign-in"), merchant, password);
  return browser;
}
const isSignedIn = async (browser: MerchantBrowser) => (await browser.open("/oauth/connections")).status === 200;

const set = (browser: MerchantBrowser, page: Page, chosen = NEW, again = chosen) =>
  browser.press(page, "Set password", { new_password: chosen, new_password_again: again });

function expectEnded(page: Page): void {
  expect(page.status).toBe(410);
  expect(page.html).toContain("This link has expired");
}

describe("a link to reset the password", () => {
  test("sets it once: all sessions end, and the new one signs in", async () => {
    ada = await fixture.registerMerchant();
    path = await linkFor(ada);
    const elsewhere = await signedIn(ada);
    const browser = fixture.browser();
    for (let look = 0; look < 3; look += 1) expect((await browser.open(path)).status).toBe(200);
    const page = await browser.open(path);
    expect(page.html).toContain(ada.email);
    const answer = await set(browser, page);
    expect([answer.status, answer.location]).toEqual([303, "/oauth/sign-in?password_changed=1"]);
    const signIn = await browser.open("/oauth/sign-in?password_changed=1");
    expect(signIn.html).toContain("Your new password is set.");
    expect(await isSignedIn(elsewhere)).toBe(false);
    expect((await fixture.signIn(browser, signIn, ada)).status).toBe(422);
    expect((await fixture.signIn(browser, signIn, ada, NEW)).status).toBe(303);
    expectEnded(await browser.open(path));
    expectEnded(await set(browser, page, `${NEW} again`));
    expect(await isSignedIn(browser)).toBe(true);
  });

  test("of a new account sets its first password, which signs in; used or expired it says what to do", async () => {
    const { sql } = fixture.replicas;
    const [first, second] = [
      await createAccount(sql, { email: `${randomUUID()}@shop.example`, mailKey: null }, TEST_OPERATOR),
      await createAccount(sql, { email: `${randomUUID()}@shop.example`, mailKey: null }, TEST_OPERATOR),
    ];
    const pathOf = ({ token }: typeof first) => `${RESET_PASSWORD_PATH}?link=${token}`;
    await passTime(fixture.replicas, { link: first.token ?? "" }, 7 * 86_400 - 60);
    const browser = fixture.browser();
    const done = await set(browser, await browser.open(pathOf(first)));
    const signIn = await browser.open(done.location ?? "");
    expect((await fixture.signIn(browser, signIn, first.merchant, NEW)).status).toBe(303);
    await passTime(fixture.replicas, { link: second.token ?? "" }, 7 * 86_400);
    for (const account of [first, second]) {
      const ended = await fixture.browser().open(pathOf(account));
      expectEnded(ended);
      expect(ended.html).toContain("seven days for a new account");
      expect(ended.html).toContain('<a href="/oauth/password/forgot">Forgot your password?</a>');
    }
  });

  test("works at once after too many guesses, in the browser that made them", async () => {
    const merchant = await fixture.registerMerchant();
    const browser = fixture.browser();
    let page = await browser.open("/oauth/sign-in");
    for (let n = 0; n < 8; n += 1) page = await fixture.signIn(browser, page, merchant, `guess ${n}`);
    expect(page.status).toBe(429);
    await set(browser, await browser.open(await linkFor(merchant)));
    expect((await fixture.signIn(browser, await browser.open("/oauth/sign-in"), merchant, NEW)).status).toBe(303);
  });

  test("signs out whoever was signed in to the browser", async () => {
    const [merchant, other] = [await fixture.registerMerchant(), await fixture.registerMerchant()];
    const browser = await signedIn(other);
    await set(browser, await browser.open(await linkFor(merchant)));
    expect(await isSignedIn(browser)).toBe(false);
    expect((await browser.open("/oauth/sign-in?password_changed=1")).status).toBe(200);
    expect(await isSignedIn(await signedIn(other))).toBe(true);
  });

  test("raced over two replicas sets the password of one", async () => {
    const merchant = await fixture.registerMerchant();
    const link = await linkFor(merchant);
    const browsers = Array.from({ length: 6 }, () => fixture.browser());
    const pages = await Promise.all(browsers.map((browser) => browser.open(link)));
    const answers = await Promise.all(
      browsers.map((browser, n) => set(browser, pages[n] ?? expect.fail(), `${NEW} ${n}`)),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 410, 410, 410, 410, 410]);
    const winner = answers.findIndex(({ status }) => status === 303);
    expect(await isSignedIn(await signedIn(merchant, `${NEW} ${winner}`))).toBe(true);
  });

  test.each([
    ["two that differ", NEW, `${NEW}!`, "new_password_again", "The new passwords don’t match."],
    ["a short one", "fourteen chars", "fourteen chars", "new_password", "Use at least 15 characters."],
  ])("refuses %s at its field, and can still be used", async (_, chosen, again, field, problem) => {
    const merchant = await fixture.registerMerchant();
    const browser = fixture.browser();
    const page = await browser.open(await linkFor(merchant));
    const answer = await set(browser, page, chosen, again);
    expect(answer.status).toBe(422);
    expect(answer.html).toMatch(new RegExp(`id="${field}-problem">[^<]*${problem}`));
    expect(answer.html).not.toContain(chosen);
    expect((await set(browser, answer)).status).toBe(303);
  });

  test("needs the form's own token", async () => {
    const browser = fixture.browser();
    const page = await browser.open(await linkFor(await fixture.registerMerchant()));
    const answer = await browser.press(page, "Set password", {
      token: "x",
      new_password: NEW,
      new_password_again: NEW,
    });
    expect(answer.status).toBe(403);
    expect((await set(browser, answer)).status).toBe(303);
  });

  test.each([
    ["unknown", `?link=pcl_${"a".repeat(43)}`],
    ["of another form", "?link=%00"],
    ["missing", ""],
    ["given twice", `?link=pcl_${"a".repeat(43)}&link=pcl_${"a".repeat(43)}`],
  ])("that is %s says so, and what to do", async (_, query) => {
    expectEnded(await fixture.browser().open(RESET_PASSWORD_PATH + query));
  });

  test("is named to no other site or request, and kept by nobody", async () => {
    const link = await linkFor(await fixture.registerMerchant());
    const { headers } = await fixture.browser().open(link);
    expect(headers["referrer-policy"]).toBe("strict-origin");
    expect(headers["cache-control"]).toBe("no-store");
    expect((await fixture.browser().open("/oauth/password/forgot")).headers["referrer-policy"]).toBe("same-origin");
  });
});

describe("'Forgot your password?'", () => {
  test("says whom to ask, and discloses nothing", async () => {
    const browser = fixture.browser();
    const { html, status, forms } = await browser.open("/oauth/password/forgot");
    expect(status).toBe(200);
    expect(html).toContain("Contact us for a link");
    expect(html).not.toMatch(/>Contact us</);
    expect(forms.flatMap(({ inputs }) => inputs.map(({ name }) => name))).toEqual(["page"]);
  });

  test("leads to the help of the configuration", async () => {
    const other = await merchantFixture({ env: { HELP_URL: "https://help.example/partner-connect" } });
    const { html } = await other.browser().open("/oauth/password/forgot");
    expect(html).toMatch(/<a class="button primary" href="https:\/\/help\.example\/partner-connect">Contact us/);
    await other.replicas.stop();
  });
});
