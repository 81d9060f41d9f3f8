import { RESET_PASSWORD_PATH } from "@partner-connect/directory";
import { expect, test } from "vitest";
import { mailsTo } from "../testing/mails.ts";
import { expectPage, type MerchantBrowser, type Page } from "../testing/merchant-browser.ts";
import { PASSWORD, suiteFixture, testFixture } from "../testing/merchant-fixture.ts";

const PATH = "/oauth/password";
const NEW = "quinces ripen in late october";

const fixture = await suiteFixture({ replicas: 2 });
const { sql } = fixture.replicas;

const { isSignedIn, resetLink } = fixture;

interface Typed {
  readonly password?: string;
  readonly chosen?: string;
  readonly again?: string;
  readonly token?: string;
}

const typedInto = ({ password = PASSWORD, chosen = NEW, again = chosen, ...more }: Typed) => ({
  ...more,
  password,
  new_password: chosen,
  new_password_again: again,
});
const change = async (browser: MerchantBrowser, typed: Typed = {}) =>
  await browser.press(await browser.open(PATH), "Change password", typedInto(typed));
const set = (browser: MerchantBrowser, page: Page, typed: Typed = {}) =>
  browser.press(page, "Set password", typedInto(typed));

function expectProblemAt(page: Page, field: string, problem: string): void {
  expect(page.status).toBe(422);
  expect(page.html).toMatch(new RegExp(`id="${field}-problem">[^<]*${problem}`));
  expect(page.html).toMatch(
    new RegExp(
      `<input id="${field}"[^>]* autofocus aria-invalid="true" aria-describedby="[^"]*${field}-problem"`,
    ),
  );
  expect(page.html.match(/aria-invalid/g)).toHaveLength(1);
}

test("changing the password ends every other session and replaces the current session", async () => {
  const merchant = await fixture.registerMerchant();
  const [here, elsewhere] = [await fixture.signedIn(merchant), await fixture.signedIn(merchant)];
  const before = here.cookies.get("__Host-merchant_session");
  const answer = await change(here);
  expect([answer.status, answer.location]).toEqual([303, `${PATH}?changed=1`]);
  expect((await mailsTo(fixture, merchant)).at(-1)?.about).toHaveProperty("address");
  const done = await here.open(`${PATH}?changed=1`);
  expectPage(done, 200, "<h1>Password changed</h1>");
  expect(done.html).not.toContain('type="password"');
  expect(here.cookies.get("__Host-merchant_session")).not.toBe(before);
  expect([await isSignedIn(here), await isSignedIn(elsewhere)]).toEqual([true, false]);
  expect(await isSignedIn(await fixture.signedIn(merchant))).toBe(false);
  expect(await isSignedIn(await fixture.signedIn(merchant, NEW))).toBe(true);
  const [record] = await sql`
      SELECT actor, request_id FROM directory.audit_log WHERE merchant_id = ${merchant.id} AND event = 'merchant_set_password'`;
  expect(record).toEqual({
    actor: `merchant:${merchant.id}`,
    request_id: answer.headers["x-request-id"],
  });
});

test("the page to change the password can be found and filled in by password managers", async () => {
  const merchant = await fixture.registerMerchant();
  const browser = await fixture.signedIn(merchant);
  expect((await browser.open("/.well-known/change-password")).location).toBe(PATH);
  expect((await browser.open("/oauth/connections")).html).toContain(
    `<a href="${PATH}">Change password</a>`,
  );
  const { html } = await browser.open(PATH);
  expect(html).toContain(`type="email" autocomplete="username" readonly value="${merchant.email}"`);
  const kinds = [...html.matchAll(/autocomplete="([a-z-]+)"/g)].map(([, kind]) => kind);
  expect(kinds).toEqual(["username", "current-password", "new-password", "new-password"]);
  expect(html.match(/ minlength="15"/g)).toHaveLength(2);
  expect(html).not.toContain("maxlength");
});

test.each<[Typed, string, string]>([
  [{ password: "not this one" }, "password", "Incorrect current password."],
  [{ again: `${NEW}!` }, "new_password_again", "The new passwords don’t match."],
  [{ chosen: "fourteen chars" }, "new_password", "Use at least 15 characters."],
  [{ chosen: PASSWORD }, "new_password", "This is your current password."],
])(
  "a password change with %j is refused at the field %s and changes nothing",
  async (typed, field, problem) => {
    const merchant = await fixture.registerMerchant();
    const browser = await fixture.signedIn(merchant);
    const answer = await change(browser, typed);
    expectProblemAt(answer, field, problem);
    for (const text of Object.values(typed)) expect(answer.html).not.toContain(text);
    expect(await isSignedIn(await fixture.signedIn(merchant))).toBe(true);
    expect(await isSignedIn(browser)).toBe(true);
  },
);

test("wrong current passwords in a password change count towards the throttle of the sign-in", async () => {
  const merchant = await fixture.registerMerchant();
  const thief = await fixture.signedIn(merchant);
  let answer = await change(thief, { password: "guess" });
  for (let guess = 1; guess < 12; guess += 1)
    answer = await change(thief, { password: `guess ${guess}` });
  expect(answer.status).toBe(429);
  expect(Number(answer.headers["retry-after"])).toBeGreaterThan(0);
  expect(answer.html).toContain("Too many attempts.");
  expect((await change(thief)).status).toBe(429);
  // The sign-in page in the same browser refuses the right password too.
  thief.cookies.delete("__Host-merchant_session");
  const refused = await fixture.signIn(thief, await thief.open("/oauth/sign-in"), merchant);
  expect(refused.status).toBe(429);
  // The owner is not locked out elsewhere.
  expect(await isSignedIn(await fixture.signedIn(merchant))).toBe(true);
});

test("a concurrent sign-in with the former password has no session after a password change", async () => {
  for (let round = 0; round < 2; round += 1) {
    const merchant = await fixture.registerMerchant();
    const owner = await fixture.signedIn(merchant);
    // Different networks: each has at most six passwords hashed at a time.
    const thieves = Array.from({ length: 6 }, (_, n) => fixture.browser(`10.79.0.${n + 1}`));
    const forms = await Promise.all(thieves.map((thief) => thief.open("/oauth/sign-in")));
    const [changed, ...guesses] = await Promise.all([
      change(owner),
      ...thieves.map((thief, n) => fixture.signIn(thief, forms[n] ?? expect.fail(), merchant)),
    ]);
    expect(changed.location).toBe(`${PATH}?changed=1`);
    expect(guesses.filter(({ status }) => ![303, 422].includes(status))).toEqual([]);
    expect((await Promise.all(thieves.map(isSignedIn))).includes(true)).toBe(false);
    expect(await isSignedIn(owner)).toBe(true);
  }
});

function expectEnded(page: Page): void {
  expectPage(page, 410, "This link has expired");
  expect(page.html).toContain('href="/oauth/password/forgot">Get a new link</a>');
}

test("a reset link can be opened many times but sets the password only once, which ends all sessions", async () => {
  const ada = await fixture.registerMerchant();
  const path = await resetLink(ada);
  const elsewhere = await fixture.signedIn(ada);
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
  expectEnded(await set(browser, page, { chosen: `${NEW} again` }));
  expect(await isSignedIn(browser)).toBe(true);
});

test("a password set by a reset link signs in immediately, even in a browser that is throttled after wrong guesses", async () => {
  const merchant = await fixture.registerMerchant();
  const browser = fixture.browser("10.9.8.7");
  let page = await browser.open("/oauth/sign-in");
  for (let n = 0; n < 8; n += 1) page = await fixture.signIn(browser, page, merchant, `guess ${n}`);
  expect(page.status).toBe(429);
  await set(browser, await browser.open(await resetLink(merchant)));
  const [mail] =
    await sql`SELECT data -> 'about' AS about FROM worker_jobs.job WHERE data ->> 'merchant_id' = ${merchant.id}`;
  expect(mail).toEqual({ about: { language: "en", address: "10.9.8.7" } });
  page = await fixture.signIn(browser, await browser.open("/oauth/sign-in"), merchant, NEW);
  expect(page.status).toBe(303);
});

test("setting the password by a reset link signs out any other merchant in that browser", async () => {
  const [merchant, other] = [await fixture.registerMerchant(), await fixture.registerMerchant()];
  const browser = await fixture.signedIn(other);
  await set(browser, await browser.open(await resetLink(merchant)));
  expect(await isSignedIn(browser)).toBe(false);
  expect(await isSignedIn(await fixture.signedIn(other))).toBe(true);
});

test("a reset link whose token is unknown, missing or repeated gets 410 and an offer of a new link", async () => {
  const unknown = `link=pcl_${"a".repeat(43)}`;
  for (const query of ["", `?${unknown}`, `?${unknown}&${unknown}`])
    expectEnded(await fixture.browser().open(RESET_PASSWORD_PATH + query));
});

test("the URL of a reset link leaks neither through caches nor through referrers", async () => {
  const path = await resetLink(await fixture.registerMerchant());
  const { headers } = await fixture.browser().open(path);
  const expected = { "referrer-policy": "strict-origin", "cache-control": "no-store" };
  expect(headers).toMatchObject(expected);
  const { headers: others } = await fixture.browser().open("/oauth/password/forgot");
  expect(others["referrer-policy"]).toBe("same-origin");
});

test("both forms that set a password are refused with a forged form token", async () => {
  const merchant = await fixture.registerMerchant();
  const [browser, other] = [await fixture.signedIn(merchant), fixture.browser()];
  const link = await other.open(await resetLink(await fixture.registerMerchant()));
  const forged = { token: "x" };
  for (const answer of [await change(browser, forged), await set(other, link, forged)])
    expectPage(answer, 403, "This page was out of date. Nothing was changed.");
  expect((await set(other, link)).status).toBe(303);
});

test("if no mail can be sent, the forgotten-password page has no form but a link to HELP_URL", async () => {
  const { html, status, forms } = await fixture.browser().open("/oauth/password/forgot");
  expect([status, html]).toEqual([200, expect.stringContaining("Ask us for a link")]);
  expect(html).not.toMatch(/>Contact us</);
  expect(forms.flatMap(({ inputs }) => inputs.map(({ name }) => name))).toEqual(["page"]);
  const other = await testFixture({ env: { HELP_URL: "https://help.example/partner-connect" } });
  const page = await other.browser().open("/oauth/password/forgot");
  expect(page.html).toMatch(
    /<a class="button primary" href="https:\/\/help\.example\/partner-connect">Contact us/,
  );
});
