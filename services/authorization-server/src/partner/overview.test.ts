import { addActivity } from "@partner-connect/connections/activity";
import { REDIRECT_URI } from "@partner-connect/directory/testing";
import { expect, test, vi } from "vitest";
import { expectPage } from "../testing/merchant-browser.ts";
import { suiteFixture } from "../testing/merchant-fixture.ts";
import { partnerFixture } from "../testing/partner-fixture.ts";

const fixture = await suiteFixture({ env: { SUPPORT_URL: "mailto:api@survey.example" } });
const { sql } = fixture.replicas;
const partner = await partnerFixture(fixture);

test("a merchant with an app but no shop is redirected to the partner pages and finds them in the menu", async () => {
  const { browser } = partner.person;
  const list = await browser.open((await browser.open("/oauth/connections")).location ?? "");
  const page = await browser.open(list.location ?? "");
  expectPage(page, 200, ">Connected shops</dt><dd>0<p>Now<");
  expect(page.html).toContain('<a href="/docs">Docs</a></li><li><a href="/help">Help</a>');
  expect((await browser.open("/oauth/password")).html).toContain('href="/partner"');
});

test("the partner pages are only in English, whatever the Accept-Language header", async () => {
  for (const section of ["", "connections", "errors", "webhooks", "settings", "nowhere"]) {
    const german = { "accept-language": "de" };
    const { headers, html } = await partner.person.browser.open(partner.path(section), german);
    expect([section, headers["content-language"]]).toEqual([section, "en"]);
    expect(html).not.toContain('lang="de"');
  }
});

test("an app's settings page shows the facts that merchants see, and a contact for changes", async () => {
  const { client, open } = await partnerFixture(fixture);
  await sql`UPDATE directory.clients SET publisher = 'P Inc.' WHERE client_id = ${client.clientId}`;
  const html = (await open("settings")).html.replaceAll("<wbr>", "");
  const shown = ["Publisher</dt><dd><bdi>P Inc.<", "Website</dt><dd>None<"];
  const asked = 'for you. <a href="mailto:api@survey.example">Contact us</a>.</p>';
  for (const fact of [client.clientId, REDIRECT_URI, "responses:read", ...shown, asked])
    expect(html).toContain(fact);
});

test("a member of several apps gets a page with a link to each app", async () => {
  const other = await partnerFixture(fixture);
  await sql`
    INSERT INTO directory.client_members (client_id, merchant_id)
    VALUES (${other.client.clientId}, ${partner.person.id})`;
  const page = await partner.person.browser.open("/partner");
  expect(page.html).toContain(`href="${partner.path()}"`);
  expect(page.html).toContain(`href="${other.path()}"`);
});

test("a merchant who is not a member of a client gets 404 and no links for the client's pages", async () => {
  const stranger = await partnerFixture(fixture);
  const browser = await fixture.signedIn(await fixture.registerMerchant());
  for (const path of [partner.path(), "/partner/none"])
    expect((await browser.open(path)).status).toBe(404);
  expect((await browser.open("/oauth/connections")).html).not.toContain("/partner");
  expect((await stranger.person.browser.open(partner.path())).status).toBe(404);
});

test("a merchant without an app sees the account's email on /partner and can switch to another account", async () => {
  const merchant = await fixture.registerMerchant();
  const browser = await fixture.signedIn(merchant);
  const page = await browser.open("/partner");
  expect(page.html).toMatch(/Signed in as <bdi>/);
  expect(page.html).toContain(`(<bdi>${merchant.email}</bdi>)`);
  const form = await browser.open(
    (await browser.press(page, "Use another account")).location ?? "",
  );
  expect((await fixture.signIn(browser, form, partner.person)).location).toBe("/partner");
});

test("the overview shows the connected shops, the usage and errors of 30 days, and whether anything needs attention", async () => {
  const own = await partnerFixture(fixture);
  const before = (await own.open()).html;
  expect([before.includes("All good."), before.includes("<svg")]).toEqual([true, false]);
  expect(before).toContain("No API calls in the last 30 days.");
  await sql`
    UPDATE directory.clients SET status = 'disabled' WHERE client_id = ${own.client.clientId}`;
  expect((await own.open()).html).not.toContain("All good.");
  await sql`
    WITH shops AS (
      INSERT INTO directory.shops (id, name, plan)
      SELECT 'many_' || n, 'Shop', 'standard' FROM generate_series(1, 50000) AS n RETURNING id)
    INSERT INTO oauth.connections (shop_id, client_id, id, status, scope, grant_id, merchant_id, connected_at, exchanged_at, last_used_at)
    SELECT id, ${own.client.clientId}, 'con_' || id, 'connected', '{responses:read}', 'grant', ${own.person.id}, now(), now(), now() FROM shops`;
  expect((await own.open("connections")).html).toContain(">50,000+ connections, newest first<");
  // The pages' day is the one on which they are opened.
  vi.useFakeTimers({ toFake: ["Date"] });
  const hour = Math.floor(Date.now() / 3_600_000) * 3_600_000;
  const of = { clientId: own.client.clientId, reason: "", examples: [] };
  const counted = Array.from({ length: 62 }, (_, days) =>
    (["calls", "records", "limited"] as const).map((what, place) => ({
      ...{ ...of, what, hour: hour - days * 24 * 3_600_000 },
      count: 10 ** place * (days < 30 ? 1000 : 100),
    })),
  );
  await addActivity(sql, counted.flat());
  const { html } = await own.open();
  const figures = [...html.matchAll(/<dt>(.*?)<\/dt><dd>(.*?)<\/dd>/g)].map((all) => all.slice(1));
  expect(figures).toEqual([
    ["Connected shops", "50,000+<p>Now</p>"],
    ["API calls", "30,000<p>Previous: 3,000</p>"],
    ["Records read", "300,000<p>Previous: 30,000</p>"],
    ["Errors", "3,000,000<p>Previous: 300,000</p>"],
  ]);
  // The axis ends at 100,000: a day's 1,000 calls are one high, and its errors reach the top.
  const bars = /: 1,000.calls, 100,000.errors<\/title><[^>]*"1"\/><[^>]*"100" class="bad"/g;
  expect(html.match(bars)).toHaveLength(30);
  const rows = /<td>\w+ \d+( so.far)?<\/td><td>1,000<\/td><td>100,000<\/td><\/tr>/g;
  expect(html.match(rows)).toHaveLength(30);
  expect(html).toContain(`href="${own.path("errors")}">See errors</a>`);
  expect(html.length).toBeLessThan(20 * 1024);
});
