import { hashCredential } from "@partner-connect/directory";
import { expect, test } from "vitest";
import { expectPage } from "../testing/merchant-browser.ts";
import { PASSWORD, suiteFixture } from "../testing/merchant-fixture.ts";

const SESSION = "__Host-merchant_session";

const fixture = await suiteFixture();
const { sql } = fixture.replicas;
const ada = await fixture.registerMerchant();
const signedIn = (merchant = ada) => fixture.signedIn(merchant);
const { isSignedIn } = fixture;

test("the sign-in page shows the host that the browser requested", async () => {
  const browser = fixture.browser();
  expect((await browser.open("/oauth/sign-in")).html).toContain(
    "You’re on <strong>connect.example</strong>.",
  );
  const other = await browser.open("/oauth/sign-in", { host: "auth.connect.example:8443" });
  expect(other.html).toContain("You’re on <strong>auth.connect.example:8443</strong>.");
  const marked = await browser.open("/oauth/sign-in", { host: "<b>bold" });
  expect(marked.html).not.toContain("<b>bold");
});

test("a sign-in with the email in any case leads to the connected apps", async () => {
  const browser = fixture.browser();
  expect((await browser.open("/oauth/connections")).location).toBe("/oauth/sign-in");
  const page = await browser.open("/oauth/sign-in");
  const answer = await browser.press(page, "Sign in", {
    email: ` ${ada.email.toUpperCase()} `,
    password: PASSWORD,
  });
  expect([answer.status, answer.location]).toEqual([303, "/oauth/connections"]);
  expect(await isSignedIn(browser)).toBe(true);
  expect((await browser.open("/oauth/sign-in")).location).toBe("/oauth/connections");
});

test("signing in sets cookies that are host-only, Secure and HttpOnly", async () => {
  const browser = fixture.browser();
  const page = await browser.open("/oauth/sign-in");
  const answer = await fixture.signIn(browser, page, ada);
  const cookies = [page, answer].flatMap(({ headers }) => headers["set-cookie"] ?? []);
  expect(cookies).toHaveLength(4);
  for (const cookie of cookies) {
    expect(cookie).toMatch(/^__Host-merchant_(session|browser|device|email)=[A-Za-z0-9_-]{43,}; /);
    expect(cookie).toMatch(/Path=\/; HttpOnly; Secure; SameSite=Lax$/);
    expect(cookie).not.toContain("Domain");
  }
});

test("signing in replaces a session id that was planted in the browser", async () => {
  const browser = fixture.browser();
  const planted = "A".repeat(43);
  browser.cookies.set(SESSION, planted);
  await fixture.signIn(browser, await browser.open("/oauth/sign-in"), ada);
  expect(browser.cookies.get(SESSION)).not.toBe(planted);
});

test.each([
  ["a wrong password", () => ({ email: ada.email, password: "wrong" })],
  ["an unknown account", () => ({ email: "nobody@shop.example", password: PASSWORD })],
  ["an email that can't be valid", () => ({ email: "a\u202e@shop.example", password: PASSWORD })],
  ["an overlong password", () => ({ email: ada.email, password: PASSWORD + "a".repeat(9000) })],
])("signing in with %s gets the same 422 page, which doesn't show the cause", async (_, fields) => {
  const browser = fixture.browser();
  const answer = await browser.press(await browser.open("/oauth/sign-in"), "Sign in", fields());
  expectPage(answer, 422, "Incorrect email or password.");
  expect(browser.cookies.has(SESSION)).toBe(false);
});

test("a session, stored in Redis by a hash of its id, ends after an hour without use", async () => {
  const browser = await signedIn();
  const id = browser.cookies.get(SESSION) ?? "";
  const { redis } = fixture.replicas;
  const key = `merchant_session:${hashCredential(id).toString("base64url")}`;
  expect(await redis.exists(`merchant_session:${id}`)).toBe(0);
  await redis.expire(key, 600);
  await isSignedIn(browser);
  expect(await redis.ttl(key)).toBeGreaterThan(3500);
  await redis.del(key);
  expect(await isSignedIn(browser)).toBe(false);
});

test("a session ends after twelve hours, however much it is used", async () => {
  const browser = await signedIn();
  const key = `merchant_session:${hashCredential(browser.cookies.get(SESSION) ?? "").toString("base64url")}`;
  const { redis } = fixture.replicas;
  const session = JSON.parse((await redis.get(key)) ?? "{}") as { signedInAt: number };
  const age = async (hours: number) => {
    const aged = { ...session, signedInAt: Date.now() - hours * 3_600_000 };
    await redis.set(key, JSON.stringify(aged), "EX", 3600);
  };
  await age(11.9);
  expect(await isSignedIn(browser)).toBe(true);
  expect(await redis.ttl(key)).toBeLessThan(400);
  await age(12);
  expect(await isSignedIn(browser)).toBe(false);
});

test("disabling a merchant ends the session immediately, and the sign-in shows the reason only with the right password", async () => {
  const merchant = await fixture.registerMerchant();
  const browser = await signedIn(merchant);
  await sql`UPDATE directory.merchants SET status = 'disabled' WHERE id = ${merchant.id}`;
  expect(await isSignedIn(browser)).toBe(false);
  const form = await browser.open("/oauth/sign-in");
  const wrong = await fixture.signIn(browser, form, merchant, "wrong");
  expectPage(wrong, 422, "Incorrect email or password.");
  const right = await fixture.signIn(browser, form, merchant);
  expectPage(right, 403, "Your account is locked");
  expect(await isSignedIn(browser)).toBe(false);
  await sql`UPDATE directory.merchants SET status = 'active' WHERE id = ${merchant.id}`;
  expect((await fixture.signIn(browser, form, merchant)).status).toBe(303);
});

test("signing out ends only the browser's own session", async () => {
  const [here, elsewhere] = [await signedIn(), await signedIn()];
  const id = here.cookies.get(SESSION) ?? "";
  const answer = await here.press(await here.open("/oauth/connections"), "Sign out");
  expect([answer.status, answer.location]).toEqual([303, "/oauth/sign-in?signed_out=1"]);
  expect((await here.open("/oauth/sign-in?signed_out=1")).html).toContain("You’re signed out.");
  expect(here.cookies.has(SESSION)).toBe(false);
  here.cookies.set(SESSION, id);
  expect(await isSignedIn(here)).toBe(false);
  expect(await isSignedIn(elsewhere)).toBe(true);
});

test("signing out everywhere ends all sessions of the merchant and of no other merchant", async () => {
  const [here, elsewhere] = [await signedIn(), await signedIn()];
  const other = await signedIn(await fixture.registerMerchant());
  const page = await here.open("/oauth/connections");
  expect((await here.press(page, "Sign out everywhere", { token: "forged" })).location).toBe(
    "/oauth/connections",
  );
  expect(await isSignedIn(elsewhere)).toBe(true);
  const answer = await here.press(page, "Sign out everywhere");
  expect((await here.open(answer.location ?? "")).html).toContain("You’re signed out.");
  expect(await isSignedIn(here)).toBe(false);
  expect(await isSignedIn(elsewhere)).toBe(false);
  expect(await isSignedIn(other)).toBe(true);
  expect(await isSignedIn(await signedIn())).toBe(true);
});
