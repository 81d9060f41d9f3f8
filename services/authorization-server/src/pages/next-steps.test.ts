import { expect, test } from "vitest";
import { expectPage, type MerchantBrowser, type Page } from "../testing/merchant-browser.ts";
import { offered, suiteFixture } from "../testing/merchant-fixture.ts";
import { outliveClientCache } from "../testing/pass-time.ts";

const HELP = "https://help.example/";
const APP = ["https://lookout.example/", "Back to Lookout"];
const APPS = ["/oauth/connections", "Connected apps"];
const HELPS = [HELP, "Contact us"];

const fixture = await suiteFixture({ env: { HELP_URL: HELP, AUTHORIZE_RATE_LIMIT: "60" } });
const { sql } = fixture.replicas;
const ada = await fixture.registerMerchant();
await fixture.registerShop("Fern & Field", "standard", ada);
await sql`
  UPDATE directory.clients SET website = 'https://lookout.example/' WHERE client_id = ${fixture.client.clientId}`;

/** The status and, in order, the links of the page's own part that look like buttons. */
function outcome({ status, html }: Page): unknown[] {
  const main = html.slice(html.indexOf("<main"), html.indexOf("</main>"));
  const links = main.matchAll(/<a class="button[^"]*" href="([^"]*)">(.*?)<\/a>/g);
  const steps = [...links].map(([, href = "", text = ""]) => [
    href.replaceAll("&amp;", "&"),
    text.replaceAll(/<[^>]*>/g, ""),
  ]);
  return [status, ...steps];
}

const authorize = (clientId: string) => `/oauth/api/authorize?client_id=${clientId}`;

async function approved(browser: MerchantBrowser): Promise<string> {
  const { path, page } = await fixture.consent(browser, ada);
  expect(
    (await browser.press(page, "Approve", { shop: offered(page, "Fern & Field") })).status,
  ).toBe(302);
  return path;
}

test("a browser that sends no cookies gets a page that names the host to allow cookies for", async () => {
  const path = await fixture.begin(fixture.browser());
  const blocked = fixture.browser();
  const page = await blocked.open(path);
  expect(outcome(page)).toEqual([404, HELPS]);
  expect(page.html).toContain(
    "Allow cookies for connect.example, then return to the app and connect again.",
  );
  const form = await blocked.open("/oauth/sign-in");
  blocked.cookies.clear();
  const refused = await fixture.signIn(blocked, form, ada);
  expectPage(refused, 403, "Allow cookies for connect.example, then try again.");
});

test.each([
  ["an unknown address", () => "/oauth/nothing-here", [404, APPS, HELPS], "Page not found"],
  [
    "an authorization link with an unregistered client_id",
    () => authorize("client_none"),
    [400, HELPS],
    "The app sent an invalid request.",
  ],
  [
    "an authorization link with an unregistered redirect_uri",
    () => `${authorize(fixture.client.clientId)}&redirect_uri=https://evil.example`,
    [400, APP, HELPS],
    "<bdi>Lookout</bdi> sent an invalid request.",
  ],
])("the page for %s shows the cause and the next steps", async (_, path, steps, text) => {
  const page = await fixture.browser().open(path());
  expect([outcome(page), page.html]).toEqual([steps, expect.stringContaining(text)]);
});

test.each([
  ["was disabled", "status = 'disabled'"],
  ["lost its redirect URI", "redirect_uris = '{https://partner.example/other}'"],
])(
  "an app that %s during the authorization gets no redirect, even if the merchant declines",
  async (_, change) => {
    const { clientId } = await fixture.replicas.registerClient();
    const browser = fixture.browser();
    const { page, path } = await fixture.consent(browser, ada, { clientId });
    await sql.unsafe(
      `UPDATE directory.clients SET ${change}, website = 'https://lookout.example/' WHERE client_id = $1`,
      [clientId],
    );
    outliveClientCache();
    const declined = await browser.press(page, "Decline");
    expect(declined.location).toBeNull();
    for (const answer of [
      declined,
      await browser.open(path),
      await browser.open(authorize(clientId)),
    ])
      expect(outcome(answer)).toEqual([400, APP, HELPS]);
  },
);

test("only the merchant who approved a request sees 'Already approved' on the request's page", async () => {
  const browser = fixture.browser();
  const path = await approved(browser);
  const page = await browser.open(path);
  expect([outcome(page), page.html]).toEqual([
    [200, APP, APPS],
    expect.stringContaining("Already approved"),
  ]);
  await browser.press(await browser.open("/oauth/connections"), "Sign out");
  const anonymous = await browser.open(path);
  expect(anonymous.html).toContain("This request has ended");
  expect(outcome(anonymous)).toEqual([404, APP, APPS, HELPS]);
  const stranger = await fixture.browser().open(path);
  expect(stranger.html).not.toContain("Lookout");
  expect(outcome(stranger)).toEqual([404, HELPS]);
});

test("the page of a request that was declined, or whose connection was revoked, shows that the request has ended", async () => {
  const browser = fixture.browser();
  const { path, page } = await fixture.consent(browser, ada);
  await browser.press(page, "Decline");
  expect((await browser.open(path)).html).toContain("This request has ended");
  const ended = await approved(browser);
  await sql`UPDATE oauth.connections SET status = 'revoked'`;
  expect((await browser.open(ended)).html).toContain("This request has ended");
});

test("a page with 429 has Retry-After and a link to the same address", async () => {
  const browser = fixture.browser();
  const path = authorize(fixture.client.clientId);
  let page = await browser.open(path);
  while (page.status === 400) page = await browser.open(path);
  expect(outcome(page)).toEqual([429, [path, "Try again"], APPS, HELPS]);
  expect(Number(page.headers["retry-after"])).toBeGreaterThan(0);
  expect(page.html).toContain("Please wait");
});

test("a form posted from another site is refused with a link to our form's page", async () => {
  const browser = fixture.browser();
  const form = await browser.open("/oauth/sign-in");
  const refused = await browser.press(form, "Sign in", {}, { origin: "https://evil.example" });
  expect(outcome(refused)).toEqual([403, ["/oauth/sign-in", "Try again"], APPS, HELPS]);
});
