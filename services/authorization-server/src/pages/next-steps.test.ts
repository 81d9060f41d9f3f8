import { beforeAll, describe, expect, test } from "vitest";
import type { MerchantBrowser, Page } from "../testing/merchant-browser.ts";
import { offered, suiteFixture, type TestMerchant } from "../testing/merchant-fixture.ts";
import { outliveClientCache } from "../testing/pass-time.ts";

const HELP = "https://help.example/";
const APP = ["https://lookout.example/", "Back to Lookout"];
const APPS = ["/oauth/connections", "Connected apps"];
const HELPS = [HELP, "Contact us"];

const fixture = await suiteFixture({ env: { HELP_URL: HELP, AUTHORIZE_RATE_LIMIT: "60" } });
let ada: TestMerchant;

beforeAll(async () => {
  ada = await fixture.registerMerchant();
  await fixture.registerShop("Fern & Field", "standard", ada);
  await fixture.replicas.sql`
    UPDATE directory.clients SET website = 'https://lookout.example/' WHERE client_id = ${fixture.client.clientId}`;
});

/** The links of the page's own part that look like buttons, in their order. */
function nextSteps({ html }: Page): string[][] {
  const main = html.slice(html.indexOf("<main"), html.indexOf("</main>"));
  return [...main.matchAll(/<a class="button[^"]*" href="([^"]*)">(.*?)<\/a>/g)].map(([, href = "", text = ""]) => [
    href.replaceAll("&amp;", "&"),
    text.replaceAll(/<[^>]*>/g, ""),
  ]);
}

async function approved(browser: MerchantBrowser): Promise<string> {
  const { path, page } = await fixture.consent(browser, ada);
  expect((await browser.press(page, "Approve", { shop: offered(page, "Fern & Field") })).status).toBe(302);
  return path;
}

describe("each error page has a next step", () => {
  test("a browser that sends no cookies gets a page that names the host to allow them on", async () => {
    const path = await fixture.begin(fixture.browser());
    const blocked = fixture.browser();
    const page = await blocked.open(path);
    expect([page.status, nextSteps(page)]).toEqual([404, [APPS, HELPS]]);
    expect(page.html).toContain("Allow cookies for connect.example, then start again in the same browser.");
    const form = await blocked.open("/oauth/sign-in");
    blocked.cookies.clear();
    const refused = await fixture.signIn(blocked, form, ada);
    expect([refused.status, refused.html]).toEqual([403, expect.stringContaining("Allow cookies for")]);
  });

  test("an address that no page has", async () => {
    expect(nextSteps(await fixture.browser().open("/oauth/nothing-here"))).toEqual([APPS, HELPS]);
  });

  test("a link of a known app that is wrong, and one of nobody", async () => {
    const browser = fixture.browser();
    const { clientId } = fixture.client;
    const wrong = await browser.open(`/oauth/api/authorize?client_id=${clientId}&redirect_uri=https://evil.example`);
    expect([wrong.status, nextSteps(wrong)]).toEqual([400, [APP, APPS, HELPS]]);
    expect(wrong.html).toContain("<bdi>Lookout</bdi> sent an invalid request.");
    const unknown = await browser.open("/oauth/api/authorize?client_id=client_none");
    expect([unknown.status, nextSteps(unknown)]).toEqual([400, [APPS, HELPS]]);
  });

  test("an app that an operator has disabled, before and during the authorization", async () => {
    const client = await fixture.replicas.registerClient();
    const browser = fixture.browser();
    const path = await fixture.begin(browser, { clientId: client.clientId });
    await fixture.replicas.sql`
      UPDATE directory.clients SET status = 'disabled', website = 'https://lookout.example/'
      WHERE client_id = ${client.clientId}`;
    outliveClientCache();
    for (const at of [path, `/oauth/api/authorize?client_id=${client.clientId}`]) {
      const page = await browser.open(at);
      expect([page.status, nextSteps(page)]).toEqual([400, [APP, APPS, HELPS]]);
    }
  });

  test("a request that was approved says so, to the merchant who approved it", async () => {
    const browser = fixture.browser();
    const path = await approved(browser);
    const page = await browser.open(path);
    expect([page.status, nextSteps(page)]).toEqual([200, [APP, APPS]]);
    expect(page.html).toContain("Already approved");
    await browser.press(await browser.open("/oauth/connections"), "Sign out");
    const anonymous = await browser.open(path);
    expect(anonymous.html).toContain("This request has ended");
    expect(nextSteps(anonymous)).toEqual([APP, APPS, HELPS]);
    const stranger = await fixture.browser().open(path);
    expect(stranger.html).not.toContain("Lookout");
    expect(nextSteps(stranger)).toEqual([APPS, HELPS]);
  });

  test("a request that was declined, or whose connection has ended since, does not say that it was approved", async () => {
    const browser = fixture.browser();
    const { path, page } = await fixture.consent(browser, ada);
    await browser.press(page, "Decline");
    expect((await browser.open(path)).html).toContain("This request has ended");
    const ended = await approved(browser);
    await fixture.replicas.sql`UPDATE oauth.connections SET status = 'revoked'`;
    expect((await browser.open(ended)).html).toContain("This request has ended");
  });

  test("too many requests: when to try again, and the same address", async () => {
    const browser = fixture.browser();
    const path = `/oauth/api/authorize?client_id=${fixture.client.clientId}`;
    let page = await browser.open(path);
    while (page.status === 400) page = await browser.open(path);
    expect(page.status).toBe(429);
    expect([Number(page.headers["retry-after"]) > 0, page.html]).toEqual([
      true,
      expect.stringContaining("Please wait"),
    ]);
    expect(nextSteps(page)).toEqual([[path, "Try again"], APPS, HELPS]);
  });

  test("a form from elsewhere: the page of its address", async () => {
    const browser = fixture.browser();
    const page = await browser.open("/oauth/sign-in");
    const refused = await browser.press(page, "Sign in", {}, { origin: "https://evil.example" });
    expect([refused.status, nextSteps(refused)]).toEqual([403, [["/oauth/sign-in", "Try again"], APPS, HELPS]]);
  });
});
