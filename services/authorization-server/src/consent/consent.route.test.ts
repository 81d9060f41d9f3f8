import { beforeAll, describe, expect, test } from "vitest";
import { suiteFixture, type TestMerchant } from "../testing/merchant-fixture.ts";

const fixture = await suiteFixture();
let ada: TestMerchant;
let fern: string;

beforeAll(async () => {
  ada = await fixture.registerMerchant();
  fern = await fixture.registerShop("Fern & Field", "advanced_attribution", ada);
  await fixture.registerShop("Blue Cup", "standard", ada);
});

describe("from the partner's link to the consent page", () => {
  test("a merchant who is not signed in signs in first, and the app is named", async () => {
    const browser = fixture.browser();
    const page = await browser.open(await fixture.begin(browser));
    expect(page.status).toBe(200);
    expect(page.html).toContain("<h1>Sign in to connect <bdi>Lookout</bdi></h1>");
    expect(page.forms[0]?.buttons.map((button) => button.text)).toContain("Sign in");
  });

  test("each shop is one radio, labelled with its name, and none of several is chosen beforehand", async () => {
    const { page } = await fixture.consent(fixture.browser(), ada);
    expect(page.forms[0]?.radios.map(({ label }) => label)).toEqual(["Blue Cup", "Fern & Field"]);
    const decisions = page.forms[0]?.buttons.filter(({ name }) => name === "decision");
    expect(decisions?.map(({ text }) => text)).toEqual(["Approve", "Decline"]);
    expect(page.html).not.toContain("checked");
  });

  test("an only shop is shown and chosen beforehand", async () => {
    const merchant = await fixture.registerMerchant();
    await fixture.registerShop("Only One", "standard", merchant);
    const { page } = await fixture.consent(fixture.browser(), merchant);
    expect(page.html).toMatch(/<input type="radio"[^>]* checked>/);
  });

  test("a merchant without a shop can only go back to the app", async () => {
    const { page } = await fixture.consent(fixture.browser(), await fixture.registerMerchant());
    expect(page.html).toContain("No shops in your account");
    expect(page.forms[0]?.buttons.map((button) => button.text)).toEqual(["Back to Lookout"]);
  });
});

describe("declining", () => {
  test("returns to the partner with access_denied and changes nothing", async () => {
    const client = await fixture.replicas.registerClient();
    const browser = fixture.browser();
    const { page } = await fixture.consent(browser, ada, { clientId: client.clientId });
    const target = await browser.follow(await browser.press(page, "Decline"));
    expect(target.searchParams.get("error")).toBe("access_denied");
    expect(target.searchParams.get("state")).toBe("a state");
    expect(await fixture.connectionOf(fern, client.clientId)).toBeUndefined();
  });

  test("has a link for a browser that does not follow the redirect", async () => {
    const browser = fixture.browser();
    const { page } = await fixture.consent(browser, ada);
    const answer = await browser.press(page, "Decline");
    const href = answer.location?.replaceAll("&", "&amp;");
    expect(answer.html).toContain(`<a class="button primary" href="${href}">Continue</a>`);
  });

  test("works without signing in", async () => {
    const browser = fixture.browser();
    const signIn = await browser.open(await fixture.begin(browser));
    const [, link = ""] = /<a href="([^"]*\/decline\?[^"]*)">/.exec(signIn.html) ?? [];
    const page = await browser.open(link);
    const target = await browser.follow(await browser.press(page, "Decline"));
    expect(target.searchParams.get("error")).toBe("access_denied");
  });
});
