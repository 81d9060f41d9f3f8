import { removeClientMember } from "@partner-connect/directory";
import { REDIRECT_URI } from "@partner-connect/directory/testing";
import { beforeAll, expect, test } from "vitest";
import { merchantFixture, suiteFixture } from "../testing/merchant-fixture.ts";
import { type PartnerFixture, partnerFixture } from "../testing/partner-fixture.ts";

const fixture = await suiteFixture();
let partner: PartnerFixture;
beforeAll(async () => {
  partner = await partnerFixture(fixture);
});

test("who has no shop but an app is led to its pages, and sees them named on top", async () => {
  const { browser } = partner.person;
  const list = await browser.open((await browser.open("/oauth/connections")).location ?? "");
  const page = await browser.open(list.location ?? "");
  expect(page.status).toBe(200);
  expect(page.html).toContain(`<code>${partner.client.clientId}</code>`);
  expect((await browser.open("/oauth/password")).html).toContain('href="/partner"');
});

test.each([
  ["mailto:api@survey.example", '<a href="mailto:api@survey.example">To change any of these, contact us</a>'],
  ["", "To change any of these, ask the operator who registered the app."],
])("an app's facts say whom to ask for a change, with SUPPORT_URL=%s", async (supportUrl, asked) => {
  const other = await merchantFixture({ env: { SUPPORT_URL: supportUrl } });
  try {
    const own = await partnerFixture(other);
    const { html } = await own.open();
    for (const fact of [own.client.clientId, REDIRECT_URI, "<bdi>Lookout</bdi></dd>", "responses:read", asked])
      expect(html).toContain(fact);
  } finally {
    await other.replicas.stop();
  }
});

test("who belongs to several apps chooses one", async () => {
  const other = await partnerFixture(fixture);
  await fixture.replicas.sql`
    INSERT INTO directory.client_members (client_id, merchant_id)
    VALUES (${other.client.clientId}, ${partner.person.id})`;
  const page = await partner.person.browser.open("/partner");
  expect(page.html).toContain(`href="${partner.path()}"`);
  expect(page.html).toContain(`href="${other.path()}"`);
});

test("nobody else finds a client's pages, or any sign of them", async () => {
  const stranger = await partnerFixture(fixture);
  const merchant = await fixture.registerMerchant();
  const browser = fixture.browser();
  await fixture.signIn(browser, await browser.open("/oauth/sign-in"), merchant);
  for (const path of [partner.path(), "/partner/none", "/partner"]) {
    expect((await browser.open(path)).status).toBe(404);
  }
  expect((await browser.open("/oauth/connections")).html).not.toContain("/partner");
  expect((await stranger.person.browser.open(partner.path())).status).toBe(404);
});

test("a person who is removed from a client finds its pages no more, from the next request on", async () => {
  const { id: merchantId, browser } = await partner.join();
  expect((await browser.open(partner.path())).status).toBe(200);
  const { sql } = fixture.replicas;
  await removeClientMember(sql, { clientId: partner.client.clientId, merchantId }, { name: "operator:test" });
  for (const section of ["", "connections", "credentials", "test-shops", "webhooks"]) {
    expect([section, (await browser.open(partner.path(section))).status]).toEqual([section, 404]);
  }
});

test("who is signed out signs in first, and returns to the page", async () => {
  const browser = fixture.browser();
  const form = await browser.open((await browser.open(partner.path())).location ?? "");
  const answer = await fixture.signIn(browser, form, partner.person);
  expect(answer.location).toBe(partner.path());
});
