import { expect, test } from "vitest";
import { mailsTo, WITH_MAIL } from "../testing/mails.ts";
import { PASSWORD, suiteFixture, type TestMerchant } from "../testing/merchant-fixture.ts";

const FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";

const fixture = await suiteFixture({ replicas: 2, env: WITH_MAIL });

async function signIn(merchant: TestMerchant, browser = fixture.browser("10.1.2.3"), language = "en") {
  const headers = { "user-agent": FIREFOX, "accept-language": language };
  const fields = { email: merchant.email, password: PASSWORD };
  const answer = await browser.press(await browser.open("/oauth/sign-in"), "Sign in", fields, headers);
  expect(answer.status).toBe(303);
  return browser;
}
const signOut = async (browser: Awaited<ReturnType<typeof signIn>>) =>
  await browser.press(await browser.open("/oauth/connections"), "Sign out");

test("a sign-in from a new device is told by mail, once for each, and not the first one to an account", async () => {
  const ada = await fixture.registerMerchant();
  const first = await signIn(ada);
  await signOut(first);
  await signIn(ada, first);
  expect(await mailsTo(fixture, ada)).toEqual([]);
  const second = await signIn(ada);
  const told = { kind: "new_device", about: { device: "Firefox, Linux", address: "10.1.2.3" } };
  expect(await mailsTo(fixture, ada)).toEqual([told]);
  await signOut(second);
  await signIn(ada, second);
  expect(await mailsTo(fixture, ada)).toEqual([told]);
});

test("a wrong password from a new device is told to nobody", async () => {
  const ada = await fixture.registerMerchant();
  await signIn(ada);
  const browser = fixture.browser();
  expect((await fixture.signIn(browser, await browser.open("/oauth/sign-in"), ada, "not this one")).status).toBe(422);
  expect(await mailsTo(fixture, ada)).toEqual([]);
});

test("a change of the password is told by mail", async () => {
  const ada = await fixture.registerMerchant();
  const browser = await signIn(ada);
  const chosen = "quinces ripen in late october";
  const fields = { password: PASSWORD, new_password: chosen, new_password_again: chosen };
  await browser.press(await browser.open("/oauth/password"), "Change password", fields);
  expect(await mailsTo(fixture, ada)).toEqual([{ kind: "password_changed", about: {} }]);
});

test("the language of a sign-in is that of the mails from then on", async () => {
  const ada = await fixture.registerMerchant();
  const language = async () =>
    (await fixture.replicas.sql`SELECT language FROM directory.merchants WHERE id = ${ada.id}`)[0]?.["language"];
  expect(await language()).toBeNull();
  for (const [asked, expected] of [
    ["de-AT,de;q=0.9,en;q=0.5", "de"],
    ["fr", "fr"],
    ["nl", "en"],
  ] as const) {
    await signOut(await signIn(ada, fixture.browser(), asked));
    expect(await language()).toBe(expected);
  }
});
