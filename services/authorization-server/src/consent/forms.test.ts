import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  type MerchantFixture,
  merchantFixture,
  offered,
  PASSWORD,
  type TestMerchant,
} from "./testing/merchant-fixture.ts";

let fixture: MerchantFixture;
let ada: TestMerchant;
let fern: string;

beforeAll(async () => {
  fixture = await merchantFixture();
  ada = await fixture.registerMerchant();
  fern = await fixture.registerShop("Fern & Field", "advanced_attribution", ada);
  await fixture.registerShop("Blue Cup", "standard", ada);
});
afterAll(() => fixture?.replicas.stop());

describe("forms", () => {
  test.each([
    ["another site's origin", { origin: "https://evil.example" }],
    ["an opaque origin", { origin: "null" }],
    ["our origin by another scheme", { origin: "http://connect.example" }],
    ["a cross-site fetch", { "sec-fetch-site": "cross-site" }],
    ["a sibling host's fetch", { "sec-fetch-site": "same-site" }],
  ])("%s is refused, whatever the form says", async (_, headers: Record<string, string>) => {
    const client = await fixture.replicas.registerClient();
    const browser = fixture.browser();
    const { page } = await fixture.consent(browser, ada, { clientId: client.clientId });
    const answer = await browser.press(page, "Approve", { shop: offered(page, "Fern & Field") }, headers);
    expect(answer.status).toBe(403);
    expect(await fixture.connectionOf(fern, client.clientId)).toBeUndefined();
  });

  test.each(["", "wrong", "A".repeat(43)])("the token %j is refused and the page shown again", async (token) => {
    const client = await fixture.replicas.registerClient();
    const browser = fixture.browser();
    const { page } = await fixture.consent(browser, ada, { clientId: client.clientId });
    const answer = await browser.press(page, "Approve", { shop: offered(page, "Fern & Field"), token });
    expect(answer.status).toBe(403);
    expect(answer.html).toContain("out of date");
    expect((await browser.press(answer, "Decline")).status).toBe(303);
  });

  test("a forged sign-in, with an attacker's own valid token, is refused", async () => {
    const attacker = fixture.browser();
    const forged = await attacker.open("/oauth/sign-in");
    const victim = fixture.browser();
    await victim.open("/oauth/sign-in");
    expect((await fixture.signIn(victim, forged, ada)).status).toBe(403);
    expect(victim.cookies.has("__Host-merchant_session")).toBe(false);
  });

  test("signing in again in a second tab keeps the first tab's form valid", async () => {
    const browser = fixture.browser();
    const { page } = await fixture.consent(browser, ada);
    await browser.press(await browser.open("/oauth/connections"), "Sign out");
    await fixture.signIn(browser, await browser.open("/oauth/sign-in"), ada);
    expect((await browser.press(page, "Approve", { shop: offered(page, "Fern & Field") })).status).toBe(303);
  });

  test("another account that signed in meanwhile is told so and approves nothing", async () => {
    const client = await fixture.replicas.registerClient();
    const partner = await fixture.registerMerchant();
    await fixture.replicas
      .sql`INSERT INTO directory.memberships (shop_id, merchant_id) VALUES (${fern}, ${partner.id})`;
    const browser = fixture.browser();
    const { page } = await fixture.consent(browser, ada, { clientId: client.clientId });
    await browser.press(await browser.open("/oauth/connections"), "Sign out");
    await fixture.signIn(browser, await browser.open("/oauth/sign-in"), partner);
    const answer = await browser.press(page, "Approve", { shop: offered(page, "Fern & Field") });
    expect(answer.status).toBe(409);
    expect(answer.html).toContain("another account");
    expect(await fixture.connectionOf(fern, client.clientId)).toBeUndefined();
  });

  test("a session that ended in the middle leads to signing in, and on to the same request", async () => {
    const browser = fixture.browser();
    const { path, page } = await fixture.consent(browser, ada);
    browser.cookies.set("__Host-merchant_session", "A".repeat(43));
    const answer = await browser.press(page, "Approve", { shop: offered(page, "Fern & Field") });
    expect([answer.status, answer.location]).toEqual([303, path]);
    const signInAgain = await browser.open(path);
    expect(signInAgain.html).toContain("You were signed out");
    expect((await fixture.signIn(browser, signInAgain, ada)).location).toBe(path);
  });

  test("leaving for another account comes back to the same request", async () => {
    const browser = fixture.browser();
    const { path, page } = await fixture.consent(browser, ada);
    expect((await browser.press(page, "Use another account")).location).toBe(path);
    expect((await browser.open(path)).forms[0]?.buttons[0]?.text).toBe("Sign in");
  });

  test("a body that is no form, or too large, is refused with a page", async () => {
    const [app] = fixture.replicas.apps;
    const send = (type: string, payload: string) =>
      app?.inject({ method: "POST", url: "/oauth/sign-in", headers: { "content-type": type }, payload });
    expect((await send("application/json", "{"))?.statusCode).toBe(400);
    expect((await send("text/csv", "a"))?.statusCode).toBe(415);
    const large = await send("application/x-www-form-urlencoded", `email=${"a".repeat(20_000)}&password=${PASSWORD}`);
    expect(large?.statusCode).toBe(413);
    expect(large?.headers["content-type"]).toContain("text/html");
  });
});
