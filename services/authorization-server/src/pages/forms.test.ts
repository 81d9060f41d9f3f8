import { beforeAll, describe, expect, test } from "vitest";
import type { Page } from "../testing/merchant-browser.ts";
import { offered, PASSWORD, suiteFixture, type TestMerchant } from "../testing/merchant-fixture.ts";

const fixture = await suiteFixture();
let ada: TestMerchant;
let fern: string;

beforeAll(async () => {
  ada = await fixture.registerMerchant();
  fern = await fixture.registerShop("Fern & Field", "advanced_attribution", ada);
  await fixture.registerShop("Blue Cup", "standard", ada);
});

describe("forms", () => {
  test.each([
    ["another site's origin", { origin: "https://evil.example" }],
    ["a cross-site fetch", { "sec-fetch-site": "cross-site" }],
  ])("%s is refused, whatever the form says", async (_, headers: Record<string, string>) => {
    const client = await fixture.replicas.registerClient();
    const browser = fixture.browser();
    const { page } = await fixture.consent(browser, ada, { clientId: client.clientId });
    const answer = await browser.press(page, "Approve", { shop: offered(page, "Fern & Field") }, headers);
    expect(answer.status).toBe(403);
    expect(await fixture.connectionOf(fern, client.clientId)).toBeUndefined();
  });

  test.each(["", "A".repeat(43)])("the token %j is refused and the page shown again", async (token) => {
    const client = await fixture.replicas.registerClient();
    const browser = fixture.browser();
    const { page } = await fixture.consent(browser, ada, { clientId: client.clientId });
    const answer = await browser.press(page, "Approve", { shop: offered(page, "Fern & Field"), token });
    expect(answer.status).toBe(403);
    expect(answer.html).toContain("out of date");
    const declined = await browser.press(page, "Decline", { token });
    expect([declined.status, declined.location]).toEqual([403, null]);
    expect((await browser.press(answer, "Decline")).status).toBe(302);
  });

  test("a forged sign-in, with an attacker's own valid token, is refused", async () => {
    const attacker = fixture.browser();
    const forged = await attacker.open("/oauth/sign-in");
    const victim = fixture.browser();
    await victim.open("/oauth/sign-in");
    expect((await fixture.signIn(victim, forged, ada)).status).toBe(403);
    expect(victim.cookies.has("__Host-merchant_session")).toBe(false);
  });

  test("another account that signed in in between gets a notice and approves nothing", async () => {
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

  test.each([
    ["application/json", (fields: Record<string, string>) => JSON.stringify(fields)],
    ["text/plain", (fields: Record<string, string>) => new URLSearchParams(fields).toString()],
  ])("a body of %s signs nobody in, decides nothing and gets the page of 415", async (type, written) => {
    const client = await fixture.replicas.registerClient();
    const browser = fixture.browser();
    const signIn = await browser.open("/oauth/sign-in");
    const token = (page: Page) => page.forms[0]?.fields["token"] ?? "";
    const send = (page: Page, fields: Record<string, string>) =>
      fixture.replicas.apps[0]?.inject({
        method: "POST",
        url: page.forms[0]?.action ?? "",
        headers: {
          ...{ host: "connect.example", origin: "https://connect.example", accept: "text/html" },
          ...{ "content-type": type, cookie: [...browser.cookies].map((cookie) => cookie.join("=")).join("; ") },
        },
        payload: written({ ...fields, token: token(page) }),
      });
    const refused = await send(signIn, { email: ada.email, password: PASSWORD });
    expect([refused?.statusCode, refused?.headers["set-cookie"]]).toEqual([415, undefined]);
    expect(refused?.headers["content-type"]).toContain("text/html");
    const { page } = await fixture.consent(browser, ada, { clientId: client.clientId });
    const account = page.forms[0]?.fields["account"] ?? "";
    const undecided = await send(page, { account, decision: "approve", shop: offered(page, "Fern & Field") });
    expect([undecided?.statusCode, undecided?.headers.location]).toEqual([415, undefined]);
    expect(await fixture.connectionOf(fern, client.clientId)).toBeUndefined();
  });

  test("a form that is too large is refused with a page", async () => {
    const large = await fixture.replicas.apps[0]?.inject({
      method: "POST",
      url: "/oauth/sign-in",
      headers: { "content-type": "application/x-www-form-urlencoded" },
      payload: `email=${"a".repeat(20_000)}&password=${PASSWORD}`,
    });
    expect(large?.statusCode).toBe(413);
    expect(large?.headers["content-type"]).toContain("text/html");
  });
});
