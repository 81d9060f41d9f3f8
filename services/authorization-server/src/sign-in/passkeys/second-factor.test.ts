import { setPassword } from "@partner-connect/directory";
import { TEST_OPERATOR } from "@partner-connect/directory/testing";
import { keysOf } from "@partner-connect/service-runtime/testing";
import { expect, test, vi } from "vitest";
import { type Signing, type TestPasskey, testPasskey } from "../../testing/authenticator.ts";
import { mailsTo, WITH_MAIL } from "../../testing/mails.ts";
import { expectPage, type MerchantBrowser, type Page } from "../../testing/merchant-browser.ts";
import { offered, PASSWORD, suiteFixture } from "../../testing/merchant-fixture.ts";
import {
  addPasskey,
  merchantWithPasskey,
  optionsOf,
  PASSKEYS,
  signInAt,
} from "../../testing/passkey-walks.ts";

const CONFIRM = "Confirm it’s you";
const APPS = "Apps connected to your shops</h1>";
const HELP = "https://survey.example/help";

// A separate Redis, because the tests delete all its challenges and second steps.
const fixture = await suiteFixture({
  replicas: 2,
  ownRedis: true,
  env: { ...WITH_MAIL, HELP_URL: HELP, LOG_LEVEL: "warn" },
});
const { sql } = fixture.replicas;

const minutes = (count: number) => count * 60_000;
const pass = (milliseconds: number) =>
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + milliseconds, shouldAdvanceTime: true });
const signInsOf = async ({ id }: { readonly id: string }) =>
  (
    await sql`SELECT FROM directory.audit_log WHERE merchant_id = ${id} AND event = 'merchant_sign_in'`
  ).length;

/** A merchant on a new device who has typed the password, at the page that asks for the passkey. */
async function asked(path = "/oauth/sign-in") {
  const { merchant, passkey } = await merchantWithPasskey(fixture);
  const browser = fixture.browser();
  return { merchant, passkey, browser, page: await signInAt(fixture, browser, merchant, path) };
}

const prove = (browser: MerchantBrowser, page: Page, passkey: TestPasskey) =>
  browser.press(page, "Use passkey", { credential: passkey.sign(optionsOf(page)) });

test("without the passkey, the right password neither signs in nor resets the throttle, and the owner gets one mail", async () => {
  const { merchant, passkey } = await merchantWithPasskey(fixture);
  const stranger = fixture.browser("10.4.0.1");
  const entered = async () => (await signInAt(fixture, stranger, merchant, "/oauth/sign-in")).html;
  const wrong = { email: merchant.email, password: "not this one" };
  const guessed = async () =>
    (await stranger.press(await stranger.open("/oauth/sign-in"), "Sign in", wrong)).status;
  for (let n = 0; n < 4; n += 1) expect(await guessed()).toBe(422);
  for (let n = 0; n < 2; n += 1) {
    expect(await entered()).toContain(CONFIRM);
    for (const path of ["/oauth/connections", PASSKEYS])
      expect((await stranger.open(path)).location).toMatch(/^\/oauth\/sign-in/);
  }
  expect(await guessed()).toBe(429);
  const records = await sql`
      SELECT event, actor, host(ip) AS ip FROM directory.audit_log
      WHERE merchant_id = ${merchant.id} AND ip = '10.4.0.1' AND event <> 'sign_in_throttled'`;
  const record = { event: "second_step_ask", actor: "system", ip: "10.4.0.1" };
  expect(records).toEqual([record, record]);
  const mails = async () =>
    (await mailsTo(fixture, merchant)).flatMap(({ kind, about }) =>
      kind === "password_entered" ? about : [],
    );
  expect(await mails()).toEqual([{ address: "10.4.0.1" }]);
  expect([...stranger.cookies.keys()]).not.toContain("__Host-merchant_device");
  // After the owner has used the passkey, the next such attempt is mailed again.
  const owner = fixture.browser();
  const page = await signInAt(fixture, owner, merchant, "/oauth/sign-in");
  await prove(owner, page, passkey);
  await signInAt(fixture, fixture.browser("10.4.0.2"), merchant, "/oauth/sign-in");
  await prove(owner, await owner.open("/oauth/account/confirm"), passkey);
  await signInAt(fixture, fixture.browser("10.4.0.3"), merchant, "/oauth/sign-in");
  const mailed = ["10.4.0.1", "10.4.0.2", "10.4.0.3"].map((address) => ({ address }));
  expect(await mails()).toEqual(mailed);
});

test("once the passkey is used, a sign-in on a new device continues to the requested page and trusts the device", async () => {
  const { merchant, passkey, browser, page } = await asked("/oauth/password");
  const before = await signInsOf(merchant);
  const done = await prove(browser, page, passkey);
  expect(done.location).toBe("/oauth/password");
  expect((await browser.open("/oauth/password")).status).toBe(200);
  expect(await signInsOf(merchant)).toBe(before + 1);
  const apps = await browser.open("/oauth/connections");
  await browser.press(apps, "Sign out");
  expect((await signInAt(fixture, browser, merchant, "/oauth/sign-in")).html).toContain(APPS);
});

test("a passkey whose counter has not advanced is accepted, but logged as a warning", async () => {
  const { merchant, passkey } = await merchantWithPasskey(fixture);
  for (const [counter, warnings] of [
    [2 ** 31, 0],
    [0, 1],
  ] as const) {
    const browser = fixture.browser();
    const page = await signInAt(fixture, browser, merchant, "/oauth/password");
    const done = await browser.press(page, "Use passkey", {
      credential: passkey.sign(optionsOf(page), { counter }),
    });
    expect([counter, done.location]).toEqual([counter, "/oauth/password"]);
    const logged = fixture.replicas.records.filter(
      ({ msg, merchant_id: id }) =>
        msg === "a passkey's counter has not advanced" && id === merchant.id,
    );
    expect(logged).toHaveLength(warnings);
  }
});

test("the passkey page names the waiting app, and has help for browsers without scripts and for lost passkeys", async () => {
  const { browser, merchant, page: alone } = await asked();
  expect(alone.html).toContain(`<h1>${CONFIRM}</h1>`);
  const page = await signInAt(fixture, browser, merchant, await fixture.begin(browser));
  expect(page.html).toMatch(/<h1>Sign in to connect <bdi>/);
  expect(page.html).toMatch(/can’t use passkeys, or JavaScript is off\. Use another browser\./);
  expect(page.html).toContain(`<a href="${HELP}">Can’t use your passkey?</a>`);
  expect(page.html).not.toContain('type="text"');
});

test("the passkey page allows and loads only our script", async () => {
  const { browser, page } = await asked();
  expect(page.headers["content-security-policy"]).toContain(
    "default-src 'none'; script-src 'self';",
  );
  const [, src = ""] = /<script src="([^"]+)" defer>/.exec(page.html) ?? [];
  const script = await browser.open(src);
  expect(script.headers["content-type"]).toMatch(/^text\/javascript/);
  expect(script.html).toContain("SimpleWebAuthnBrowser");
});

test("a browser that signed in before the first passkey was added must use the passkey at its next sign-in", async () => {
  const merchant = await fixture.registerMerchant();
  const stranger = fixture.browser();
  expect((await signInAt(fixture, stranger, merchant, "/oauth/sign-in")).html).toContain(APPS);
  const owner = await fixture.signedIn(merchant);
  await addPasskey(owner);
  expect((await stranger.open("/oauth/connections")).location).toMatch(/^\/oauth\/sign-in/);
  expect((await signInAt(fixture, stranger, merchant, "/oauth/sign-in")).html).toContain(CONFIRM);
  expect((await owner.open("/oauth/connections")).status).toBe(200);
});

test("after a password reset, every browser must use the passkey, even a trusted browser", async () => {
  const { merchant, browser: owner } = await merchantWithPasskey(fixture);
  const password = "quinces ripen in late october";
  const chosen = { email: merchant.email, password, passwordFrom: "person" } as const;
  await setPassword(sql, chosen, TEST_OPERATOR);
  for (const browser of [fixture.browser(), owner]) {
    const form = await browser.arrive(await browser.open("/oauth/sign-in"));
    const page = await browser.arrive(await fixture.signIn(browser, form, merchant, password));
    expect(page.html).toContain(CONFIRM);
  }
});

test("a stranger who knows the password is refused with another passkey, or a signature for another site or challenge", async () => {
  const { merchant, passkey } = await merchantWithPasskey(fixture);
  const attempt = async (sign: (options: { challenge: string }) => string) => {
    const browser = fixture.browser();
    const page = await signInAt(fixture, browser, merchant, "/oauth/sign-in");
    const credential = sign(optionsOf(page));
    const answer = await browser.press(page, "Use passkey", { credential });
    expect((await browser.open("/oauth/connections")).location).toMatch(/^\/oauth\/sign-in/);
    return answer.status;
  };
  const signed = (signing: Signing) => (options: { challenge: string }) =>
    passkey.sign(options, signing);
  expect(await attempt((options) => testPasskey().sign(options))).toBe(422);
  expect(await attempt((options) => testPasskey().make(options))).toBe(422);
  expect(await attempt(signed({ origin: "https://connect.example.evil.example" }))).toBe(422);
  expect(await attempt(signed({ origin: "http://connect.example" }))).toBe(422);
  expect(await attempt(signed({ rpId: "evil.example" }))).toBe(422);
  expect(await attempt(signed({ type: "webauthn.create" }))).toBe(422);
  expect(await attempt(() => "{}")).toBe(422);
  expect(await attempt(() => `{"id":"${passkey.id}","response":{"clientDataJSON":"e30"}}`)).toBe(
    422,
  );
  expect(await attempt(() => passkey.sign({ challenge: "A".repeat(43) }))).toBe(403);
});

test("a valid passkey response is refused in a browser that didn't start the sign-in, or with another browser's form token", async () => {
  const { merchant, passkey } = await merchantWithPasskey(fixture);
  const [one, other] = [fixture.browser(), fixture.browser()];
  const page = await signInAt(fixture, one, merchant, "/oauth/sign-in");
  const elsewhere = await prove(other, page, passkey);
  expect(elsewhere.location).toMatch(/^\/oauth\/sign-in/);
  await signInAt(fixture, other, merchant, "/oauth/sign-in");
  const foreign = await prove(other, page, passkey);
  expectPage(foreign, 403, "This page was out of date");
});

test("a passkey challenge is accepted for only one of several concurrent responses, and only in the browser that received it", async () => {
  const { merchant, passkey, browser, page } = await asked();
  const credential = passkey.sign(optionsOf(page));
  const other = fixture.browser();
  const theirs = await signInAt(fixture, other, merchant, "/oauth/sign-in");
  expect((await other.press(theirs, "Use passkey", { credential })).status).toBe(403);
  const answers = await Promise.all(
    Array.from({ length: 5 }, () => browser.press(page, "Use passkey", { credential })),
  );
  expect(
    answers.filter(({ location }) => location === "/oauth/connections").length,
  ).toBeGreaterThan(0);
  const used = await sql`
      SELECT FROM directory.audit_log WHERE merchant_id = ${merchant.id} AND event = 'merchant_sign_in'`;
  expect(used).toHaveLength(2); // before the passkey was added, and now
});

test("a passkey challenge for a registration is refused for an authentication, and vice versa", async () => {
  const { browser, passkey } = await merchantWithPasskey(fixture);
  const addition = await browser.open(PASSKEYS);
  const proof = await browser.open("/oauth/account/confirm");
  const proven = await browser.press(proof, "Use passkey", {
    credential: passkey.sign(optionsOf(addition)),
  });
  const added = await browser.press(addition, "Add a passkey", {
    credential: testPasskey().make(optionsOf(proof)),
  });
  expect([proven.status, added.status]).toEqual([403, 403]);
});

test("an expired passkey challenge gets 403 and a new challenge that is accepted", async () => {
  const { passkey, browser, page } = await asked();
  const { redis } = fixture.replicas;
  for (const key of await keysOf(redis, "passkey:challenge:*")) {
    expect(await redis.ttl(key)).toBeLessThanOrEqual(300);
    await redis.del(key);
  }
  const late = await prove(browser, page, passkey);
  expectPage(late, 403, "This page was out of date.");
  const done = await prove(browser, late, passkey);
  expect(done.location).toBe("/oauth/connections");
});

test("a second step that has expired or was never begun leads back to the sign-in", async () => {
  expect((await fixture.browser().open("/oauth/sign-in/passkey")).location).toBe("/oauth/sign-in");
  const { merchant, passkey, browser, page } = await asked("/oauth/password");
  const { redis } = fixture.replicas;
  for (const key of await keysOf(redis, "second_step:*")) {
    expect(await redis.ttl(key)).toBeLessThanOrEqual(600);
    await redis.del(key);
  }
  const late = await prove(browser, page, passkey);
  expect(late.location).toMatch(/^\/oauth\/sign-in\?return=/);
  await signInAt(fixture, browser, merchant, late.location ?? "");
});

test("a second step that began before all sessions were ended is refused", async () => {
  const { merchant, passkey, browser, page } = await asked();
  await sql`UPDATE directory.merchants SET session_epoch = session_epoch + 1 WHERE id = ${merchant.id}`;
  const late = await prove(browser, page, passkey);
  expect(late.location).toMatch(/^\/oauth\/sign-in/);
});

test("the second step throttles guesses from one network, but not the owner's attempts from another network", async () => {
  const { merchant, passkey } = await merchantWithPasskey(fixture);
  const browser = fixture.browser();
  let page = await signInAt(fixture, browser, merchant, "/oauth/sign-in");
  for (let guess = 0; guess < 10; guess += 1)
    page = await browser.press(page, "Use passkey", { credential: "{}" });
  const refused = await prove(browser, page, passkey);
  expectPage(refused, 429, "Too many attempts");
  expect(Number(refused.headers["retry-after"])).toBeGreaterThan(0);
  const elsewhere = fixture.browser();
  const asked = await signInAt(fixture, elsewhere, merchant, "/oauth/sign-in");
  const right = { credential: passkey.sign(optionsOf(asked)) };
  expect((await elsewhere.press(asked, "Use passkey", right)).location).toBe("/oauth/connections");
});

test("a second step that Postgres can't store gets 503 and doesn't count towards the throttle", async () => {
  const { passkey, browser, page } = await asked();
  await sql`ALTER TABLE directory.passkeys ADD CONSTRAINT none_used CHECK (last_used_at IS NULL) NOT VALID`;
  for (let n = 0; n < 10; n += 1)
    expect((await prove(browser, await browser.open(page.url), passkey)).status).toBe(503);
  await sql`ALTER TABLE directory.passkeys DROP CONSTRAINT none_used`;
  expect((await prove(browser, page, passkey)).status).toBe(303);
});

async function begun(scope: readonly ("responses:read" | "sources:write")[] = ["responses:read"]) {
  const enrolled = await merchantWithPasskey(fixture);
  const { merchant } = enrolled;
  const shop = await fixture.registerShop("Fern & Field", "advanced_attribution", merchant);
  await fixture.registerShop("Blue Cup", "advanced_attribution", merchant);
  return { ...enrolled, shop, path: await fixture.begin(enrolled.browser, { scope }) };
}
const approve = (browser: MerchantBrowser, page: Page, shop = "Fern & Field") =>
  browser.press(page, "Approve", { shop: offered(page, shop) });

test("if a replica's clock is almost a minute behind, approving access to personal data doesn't ask for the passkey again", async () => {
  const { browser, path } = await begun();
  pass(-minutes(1) + 1000);
  const page = await browser.open(path);
  const answer = await approve(browser, page);
  expect((await browser.follow(answer)).searchParams.has("code")).toBe(true);
});

test("more than ten minutes after the last passkey check, approving access to personal data asks for the passkey and keeps the chosen shop", async () => {
  const { browser, path, shop, passkey } = await begun();
  pass(minutes(10) + 1000);
  const page = await browser.open(path);
  const asked = await browser.arrive(await approve(browser, page));
  expect(asked.html).toContain(CONFIRM);
  expect(await fixture.connectionOf(shop)).toBeUndefined();
  // A wrong response and another language lose nothing.
  const wrong = await browser.press(asked, "Use passkey", { credential: "{}" });
  await browser.press(wrong, "Deutsch");
  const german = await browser.open(asked.url);
  await browser.press(german, "English");
  const again = await browser.open(asked.url);
  const back = await prove(browser, again, passkey);
  const consent = await browser.open(back.location ?? "");
  expect(consent.forms[0]?.radios.find(({ checked }) => checked)?.label).toBe("Fern & Field");
  const answer = await approve(browser, consent);
  expect((await browser.follow(answer)).searchParams.get("state")).toBe("a state");
  expect(await fixture.connectionOf(shop)).toMatchObject({ status: "approved" });
});

test("a decline, an approval of other scopes and any decision of a merchant without a passkey don't ask for a passkey", async () => {
  const plain = await begun(["sources:write"]);
  const merchant = await fixture.registerMerchant();
  await fixture.registerShop("Only One", "standard", merchant);
  const browser = fixture.browser();
  const { path } = await fixture.consent(browser, merchant);
  const declining = await begun();
  pass(minutes(30));
  const page = await plain.browser.open(plain.path);
  const approved = await approve(plain.browser, page);
  expect((await plain.browser.follow(approved)).searchParams.has("code")).toBe(true);
  const without = await browser.open(path);
  const answer = await approve(browser, without, "Only One");
  expect((await browser.follow(answer)).searchParams.has("code")).toBe(true);
  const last = await declining.browser.open(declining.path);
  const turned = await declining.browser.press(last, "Decline");
  expect((await declining.browser.follow(turned)).searchParams.get("error")).toBe("access_denied");
});

test("a passkey check that is dated minutes in the future is not accepted when approving access to personal data", async () => {
  const { browser } = await begun();
  pass(-minutes(3));
  const page = await browser.open(await fixture.begin(browser));
  const answer = await approve(browser, page);
  expect(answer.location).toMatch(/^\/oauth\/account\/confirm\?return=/);
});

test("a password sign-in on a trusted device counts as a passkey check when approving access to personal data, but not when changing passkeys", async () => {
  const { merchant, browser, passkey, path: approval } = await begun();
  pass(minutes(11));
  const consent = await browser.open(approval);
  expect((await approve(browser, consent)).location).toMatch(/^\/oauth\/account\/confirm/);
  await browser.press(consent, "Use another account");
  const answer = await approve(browser, await signInAt(fixture, browser, merchant, approval));
  expect((await browser.follow(answer)).searchParams.has("code")).toBe(true);
  const page = await browser.open(PASSKEYS);
  expect(page.html).not.toMatch(/data-options|>Remove passkey</);
  const [, path = ""] = /href="(\/oauth\/account\/confirm[^"]*)"/.exec(page.html) ?? [];
  const asked = await browser.open(path);
  expect(asked.html).not.toContain('type="password"');
  const done = await prove(browser, asked, passkey);
  expect((await browser.open(done.location ?? "")).html).toMatch(/>Remove passkey</);
});

test("eleven minutes after the sign-in, a merchant must confirm the password before adding a first passkey", async () => {
  const browser = await fixture.signedIn(await fixture.registerMerchant());
  pass(minutes(11));
  const page = await browser.open(PASSKEYS);
  expect(page.html).not.toContain("data-options");
  const [, path = ""] = /href="(\/oauth\/account\/confirm[^"]*)"/.exec(page.html) ?? [];
  const asked = await browser.open(path);
  const wrong = await browser.press(asked, "Confirm", { password: "not this one" });
  expectPage(wrong, 422, "Incorrect current password.");
  const done = await browser.press(wrong, "Confirm", { password: PASSWORD });
  expect(done.location).toBe(PASSKEYS);
  expect((await browser.open(PASSKEYS)).html).toContain("data-options");
});
