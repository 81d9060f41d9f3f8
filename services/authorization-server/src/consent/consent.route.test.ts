import { expect, test } from "vitest";
import { offered, suiteFixture } from "../testing/merchant-fixture.ts";
import { REDIRECT_URI } from "../testing/replicas.ts";

const fixture = await suiteFixture();
const { sql } = fixture.replicas;
const ada = await fixture.registerMerchant();
const fern = await fixture.registerShop("Fern & Field", "advanced_attribution", ada);
await fixture.registerShop("Blue Cup", "standard", ada);

/** The consent page of a new merchant with these shops. */
async function asked(shops: readonly string[], asking: Parameters<typeof fixture.consent>[2] = {}) {
  const [merchant, browser] = [await fixture.registerMerchant(), fixture.browser()];
  const ids: string[] = [];
  for (const name of shops) ids.push(await fixture.registerShop(name, "standard", merchant));
  const { page, path } = await fixture.consent(browser, merchant, asking);
  const approve = () => browser.press(page, "Approve", { shop: offered(page, shops[0] ?? "") });
  return { merchant, browser, page, path, shop: ids[0] ?? "", approve };
}

test("the consent page selects a shop in advance only if the merchant has exactly one shop", async () => {
  const { page } = await fixture.consent(fixture.browser(), ada);
  expect(page.forms[0]?.radios.map(({ label }) => label)).toEqual(["Blue Cup", "Fern & Field"]);
  const decisions = page.forms[0]?.buttons.filter(({ name }) => name === "decision");
  expect(decisions?.map(({ text }) => text)).toEqual(["Approve", "Decline"]);
  expect(page.html).not.toContain("checked");
  expect((await asked(["Only One"])).page.html).toMatch(
    / to <bdi>Only One<\/bdi>\?<\/h1>.*<input type="radio"[^>]* checked .*<p>For <label /s,
  );
});

const refused = /<bdi>Lookout<\/bdi> can’t be connected<\/h1>/;
test.each([
  ["the merchant has no shop", [], undefined, /No shops in your account/],
  ["no shop's plan includes the scope", ["Cup 1", "Cup 2"], ["sources:write"], refused],
  ["the shop's plan lacks the scope", ["Cup"], ["sources:write"], /· Standard plan<[\s\S]*Ask us/],
] as const)(
  "if %s, the consent page states this and leads only back to the app, with access_denied",
  async (_, shops, scope, why) => {
    const { browser, page } = await asked(shops, scope && { scope: [...scope] });
    expect(page.html).toMatch(why);
    expect(page.html.match(/the Advanced attribution plan/g) ?? []).toHaveLength(
      shops.length > 0 ? 1 : 0,
    );
    expect(page.forms[0]?.radios).toEqual([]);
    expect(page.forms[0]?.buttons.map(({ text }) => text)).toEqual(["Back to Lookout"]);
    const target = await browser.follow(await browser.press(page, "Back to Lookout"));
    expect(target.searchParams.get("error")).toBe("access_denied");
    expect(target.searchParams.get("state")).toBe("a state");
  },
);

test("the consent page does not blame the plan if the app itself lost the scope that it requested", async () => {
  const { clientId } = await fixture.replicas.registerClient();
  const { browser, path } = await asked(["Rich"], { clientId, scope: ["sources:write"] });
  await sql`UPDATE directory.clients SET scope = '{responses:read}' WHERE client_id = ${clientId}`;
  await expect
    .poll(async () => (await browser.open(path)).html)
    .toContain("can’t connect shops right now");
  expect((await browser.open(path)).html).not.toContain("plan");
});

test("an approval stores the shop and scope that the page showed, and redirects to the client with a code", async () => {
  const browser = fixture.browser();
  const { page } = await fixture.consent(browser, ada);
  const answer = await browser.press(page, "Approve", { shop: offered(page, "Fern & Field") });
  expect(answer.status).toBe(302);
  const target = await browser.follow(answer);
  expect(target.href.startsWith(`${REDIRECT_URI}?`)).toBe(true);
  expect(target.searchParams.get("state")).toBe("a state");
  expect(target.searchParams.get("code")).toBeTruthy();
  const scope = ["responses:read", "sources:write"];
  expect(await fixture.connectionOf(fern)).toMatchObject({ scope, merchant_id: ada.id });
  const [record] = await sql`
      SELECT actor, request_id FROM oauth.audit_log WHERE shop_id = ${fern} AND event = 'approve'`;
  expect(record).toEqual({
    actor: `merchant:${ada.id}`,
    request_id: answer.headers["x-request-id"],
  });
  expect(answer.headers["x-request-id"]).toBeTruthy();
});

test("an approval stores the merchant and the registered redirect URI, in place of the previous approval's", async () => {
  const [first, other] = [await fixture.registerMerchant(), await fixture.registerMerchant()];
  const shop = await fixture.registerShop("Wandering", "standard", first, other);
  const cases = [
    [first, "http://localhost:51234/callback", "http://localhost/callback"],
    [other, REDIRECT_URI, REDIRECT_URI],
  ] as const;
  for (const [merchant, redirectUri, registered] of cases) {
    const browser = fixture.browser();
    const { page } = await fixture.consent(browser, merchant, { redirectUri });
    expect(
      (await browser.press(page, "Approve", { shop: offered(page, "Wandering") })).status,
    ).toBe(302);
    expect(await fixture.connectionOf(shop)).toMatchObject({
      merchant_id: merchant.id,
      redirect_uri: registered,
    });
  }
});

test("an approval of another merchant's shop is refused with 422", async () => {
  const theirs = (await asked(["Theirs"])).shop;
  const browser = fixture.browser();
  const { page } = await fixture.consent(browser, ada);
  const answer = await browser.press(page, "Approve", { shop: theirs });
  expect([answer.status, answer.forms[0]?.radios.length]).toEqual([422, 2]);
  expect(await fixture.connectionOf(theirs)).toBeUndefined();
});
