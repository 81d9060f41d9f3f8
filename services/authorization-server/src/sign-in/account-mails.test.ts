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

test("a sign-in from a new device is reported by mail, once for each; the first one to an account, and a wrong password, are not", async () => {
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
  const guessing = fixture.browser();
  expect((await fixture.signIn(guessing, await guessing.open("/oauth/sign-in"), ada, "not this one")).status).toBe(422);
  expect(await mailsTo(fixture, ada)).toEqual([told]);
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
