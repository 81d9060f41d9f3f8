import { expect, test } from "vitest";
import { expectPage } from "../testing/merchant-browser.ts";
import { offered, PASSWORD, suiteFixture } from "../testing/merchant-fixture.ts";

const fixture = await suiteFixture();
const { sql } = fixture.replicas;
const ada = await fixture.registerMerchant();
const fern = await fixture.registerShop("Fern & Field", "advanced_attribution", ada);
await fixture.registerShop("Blue Cup", "standard", ada);

/** The consent page of a new client, in a new browser. */
async function asked() {
  const { clientId } = await fixture.replicas.registerClient();
  const browser = fixture.browser();
  const { page } = await fixture.consent(browser, ada, { clientId });
  const shop = offered(page, "Fern & Field");
  return {
    ...{ browser, page, shop },
    approve: (fields: Record<string, string> = {}) =>
      browser.press(page, "Approve", { shop, ...fields }),
    expectUnconnected: async () =>
      expect(await fixture.connectionOf(fern, clientId)).toBeUndefined(),
  };
}

test.each(["", "A".repeat(43)])(
  "a form with the token %j is refused with 403 and a new form that is accepted",
  async (token) => {
    const { approve, browser, page } = await asked();
    const answer = await approve({ token });
    expectPage(answer, 403, "out of date");
    const declined = await browser.press(page, "Decline", { token });
    expect([declined.status, declined.location]).toEqual([403, null]);
    expect((await browser.press(answer, "Decline")).status).toBe(302);
  },
);

test("a forged sign-in, with an attacker's own valid token, is refused", async () => {
  const forged = await fixture.browser().open("/oauth/sign-in");
  const victim = fixture.browser();
  await victim.open("/oauth/sign-in");
  expect((await fixture.signIn(victim, forged, ada)).status).toBe(403);
  expect(victim.cookies.has("__Host-merchant_session")).toBe(false);
});

test("an approval sent after another account has signed in gets 409 and connects no shop", async () => {
  const { approve, browser, expectUnconnected } = await asked();
  const partner = await fixture.registerMerchant();
  await sql`INSERT INTO directory.memberships (shop_id, merchant_id) VALUES (${fern}, ${partner.id})`;
  await browser.press(await browser.open("/oauth/connections"), "Sign out");
  await fixture.signIn(browser, await browser.open("/oauth/sign-in"), partner);
  const answer = await approve();
  expectPage(answer, 409, "Please review before you approve.");
  await expectUnconnected();
});

test.each([
  ["application/json", (fields: Record<string, string>) => JSON.stringify(fields)],
  ["text/plain", (fields: Record<string, string>) => new URLSearchParams(fields).toString()],
])("a form sent as %s gets a 415 page, without a sign-in or decision", async (type, written) => {
  const { browser, page, shop, expectUnconnected } = await asked();
  const stranger = fixture.browser();
  const signIn = await stranger.open("/oauth/sign-in");
  const account = page.forms[0]?.fields["account"] ?? "";
  for (const [from, form, fields] of [
    [stranger, signIn, { email: ada.email, password: PASSWORD }],
    [browser, page, { account, decision: "approve", shop }],
  ] as const) {
    const token = form.forms[0]?.fields["token"] ?? "";
    const { statusCode, headers } = await fixture.replicas.app().inject({
      method: "POST",
      url: form.forms[0]?.action ?? "",
      headers: {
        ...{ host: "connect.example", origin: "https://connect.example", accept: "text/html" },
        ...{
          "content-type": type,
          cookie: [...from.cookies].map((cookie) => cookie.join("=")).join("; "),
        },
      },
      payload: written({ ...fields, token }),
    });
    const { "set-cookie": cookie, location } = headers;
    expect([statusCode, cookie, location]).toEqual([415, undefined, undefined]);
    expect(headers["content-type"]).toContain("text/html");
  }
  await expectUnconnected();
});
