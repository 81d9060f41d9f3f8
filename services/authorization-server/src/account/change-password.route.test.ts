import { MIN_PASSWORD_LENGTH } from "@partner-connect/directory";
import { describe, expect, test } from "vitest";
import type { MerchantBrowser } from "../testing/merchant-browser.ts";
import { PASSWORD, suiteFixture, type TestMerchant } from "../testing/merchant-fixture.ts";
import { de } from "../texts/de.ts";
import { en } from "../texts/en.ts";
import { es } from "../texts/es.ts";
import { fr } from "../texts/fr.ts";

const PATH = "/oauth/password";
const NEW = "quinces ripen in late october";

const fixture = await suiteFixture({ replicas: 2 });

async function signedIn(merchant: TestMerchant, password = PASSWORD): Promise<MerchantBrowser> {
  const browser = fixture.browser();
  await fixture.signIn(browser, await browser.open("/oauth/sign-in"), merchant, password);
  return browser;
}
const isSignedIn = async (browser: MerchantBrowser) => (await browser.open("/oauth/connections")).status === 200;

async function change(browser: MerchantBrowser, fields: { password?: string; chosen?: string; again?: string } = {}) {
  const { password = PASSWORD, chosen = NEW, again = chosen } = fields;
  return await browser.press(await browser.open(PATH), "Change password", {
    password,
    new_password: chosen,
    new_password_again: again,
  });
}

describe("changing the password", () => {
  test("ends all other sessions, and this browser has a new one", async () => {
    const merchant = await fixture.registerMerchant();
    const [here, elsewhere] = [await signedIn(merchant), await signedIn(merchant)];
    const before = here.cookies.get("__Host-merchant_session");
    const answer = await change(here);
    expect([answer.status, answer.location]).toEqual([303, `${PATH}?changed=1`]);
    expect((await here.open(`${PATH}?changed=1`)).html).toContain("Password changed.");
    expect(here.cookies.get("__Host-merchant_session")).not.toBe(before);
    expect([await isSignedIn(here), await isSignedIn(elsewhere)]).toEqual([true, false]);
    expect(await isSignedIn(await signedIn(merchant))).toBe(false);
    expect(await isSignedIn(await signedIn(merchant, NEW))).toBe(true);
    const [record] = await fixture.replicas.sql`
      SELECT event, actor, request_id FROM directory.audit_log
      WHERE merchant_id = ${merchant.id} AND event = 'merchant_set_password'`;
    expect(record).toEqual({
      event: "merchant_set_password",
      actor: `merchant:${merchant.id}`,
      request_id: answer.headers["x-request-id"],
    });
  });

  test("is a page that password managers understand and find", async () => {
    const merchant = await fixture.registerMerchant();
    const browser = await signedIn(merchant);
    expect((await browser.open("/.well-known/change-password")).location).toBe(PATH);
    expect((await browser.open("/oauth/connections")).html).toContain(`<a href="${PATH}">Change password</a>`);
    const { html } = await browser.open(PATH);
    expect(html).toContain(`type="email" autocomplete="username" readonly value="${merchant.email}"`);
    expect(html.match(/autocomplete="[a-z-]+"/g)).toEqual([
      'autocomplete="username"',
      'autocomplete="current-password"',
      'autocomplete="new-password"',
      'autocomplete="new-password"',
    ]);
    expect(html.match(/ minlength="15"/g)).toHaveLength(2);
    expect(html).not.toContain("maxlength");
  });

  test("without a session leads to the sign-in", async () => {
    const merchant = await fixture.registerMerchant();
    const browser = await signedIn(merchant);
    const page = await browser.open(PATH);
    browser.cookies.delete("__Host-merchant_session");
    expect((await browser.open(PATH)).location).toMatch(/^\/oauth\/sign-in\?return=/);
    expect((await browser.press(page, "Change password", {})).location).toMatch(/^\/oauth\/sign-in\?return=/);
  });

  test.each([
    ["a wrong present password", { password: "not this one" }, "password", "Incorrect current password."],
    ["no present password", { password: "" }, "password", "Incorrect current password."],
    ["two that differ", { again: `${NEW}!` }, "new_password_again", "The new passwords don’t match."],
    ["a short one", { chosen: "fourteen chars" }, "new_password", "Use at least 15 characters."],
    ["a common one", { chosen: "passwordpassword" }, "new_password", "This password is too common."],
    ["the shop's name", { chosen: "hedgehog-hats 1" }, "new_password", "Don’t use a name or an email."],
    ["the one there is", { chosen: PASSWORD }, "new_password", "This is your current password."],
  ])("refuses %s at its field, and changes nothing", async (_, fields, field, problem) => {
    const merchant = await fixture.registerMerchant();
    await fixture.registerShop("Hedgehog Hats", "standard", merchant);
    const browser = await signedIn(merchant);
    const answer = await change(browser, fields);
    expect(answer.status).toBe(422);
    expect(answer.html).toMatch(new RegExp(`id="${field}-problem">[^<]*${problem}`));
    expect(answer.html).toMatch(
      new RegExp(`<input id="${field}"[^>]* autofocus aria-invalid="true" aria-describedby="[^"]*${field}-problem"`),
    );
    expect(answer.html.match(/aria-invalid/g)).toHaveLength(1);
    for (const typed of Object.values(fields)) if (typed !== "") expect(answer.html).not.toContain(typed);
    expect(await isSignedIn(await signedIn(merchant))).toBe(true);
    expect(await isSignedIn(browser)).toBe(true);
  });

  test("needs the form's own token", async () => {
    const browser = await signedIn(await fixture.registerMerchant());
    const answer = await browser.press(await browser.open(PATH), "Change password", {
      token: "x",
      password: PASSWORD,
      new_password: NEW,
      new_password_again: NEW,
    });
    expect(answer.status).toBe(403);
    expect(answer.html).toContain("This page was out of date. Nothing was changed.");
  });

  test("counts guesses of the present password like those of a sign-in", async () => {
    const merchant = await fixture.registerMerchant();
    const thief = await signedIn(merchant);
    let answer = await change(thief, { password: "guess" });
    for (let guess = 1; guess < 12; guess += 1) answer = await change(thief, { password: `guess ${guess}` });
    expect(answer.status).toBe(429);
    expect(Number(answer.headers["retry-after"])).toBeGreaterThan(0);
    expect(answer.html).toContain("Too many attempts.");
    expect((await change(thief)).status).toBe(429);
    // Nor from the sign-in page in the same browser.
    thief.cookies.delete("__Host-merchant_session");
    expect((await fixture.signIn(thief, await thief.open("/oauth/sign-in"), merchant)).status).toBe(429);
    // The owner elsewhere is not locked out.
    expect(await isSignedIn(await signedIn(merchant))).toBe(true);
  });
});

test("who signs in with the former password while it is changed has no session afterwards", async () => {
  for (let round = 0; round < 2; round += 1) {
    const merchant = await fixture.registerMerchant();
    const owner = await signedIn(merchant);
    const page = await owner.open(PATH);
    // Each on a network of its own: of one network six passwords are hashed at once, and a seventh is refused.
    const thieves = Array.from({ length: 6 }, (_, n) => fixture.browser(`10.79.0.${n + 1}`));
    const forms = await Promise.all(thieves.map((thief) => thief.open("/oauth/sign-in")));
    const [changed, ...guesses] = await Promise.all([
      owner.press(page, "Change password", { password: PASSWORD, new_password: NEW, new_password_again: NEW }),
      ...thieves.map((thief, n) => fixture.signIn(thief, forms[n] ?? expect.fail(), merchant)),
    ]);
    expect(changed.location).toBe(`${PATH}?changed=1`);
    expect(guesses.filter(({ status }) => ![303, 422].includes(status))).toEqual([]);
    expect((await Promise.all(thieves.map(isSignedIn))).includes(true)).toBe(false);
    expect(await isSignedIn(owner)).toBe(true);
  }
});

test("the rule in each language names the least length", () => {
  for (const { password } of [en, de, fr, es]) {
    expect(password.rule).toContain(` ${MIN_PASSWORD_LENGTH.person} `);
    expect(password.problem.too_short).toContain(` ${MIN_PASSWORD_LENGTH.person} `);
  }
});
