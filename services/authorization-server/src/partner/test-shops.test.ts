import { beforeAll, expect, test } from "vitest";
import { suiteFixture } from "../testing/merchant-fixture.ts";
import { type PartnerFixture, partnerFixture } from "../testing/partner-fixture.ts";

const fixture = await suiteFixture();
let partner: PartnerFixture;
beforeAll(async () => {
  partner = await partnerFixture(fixture);
});

test("a partner makes a test shop that everybody of the app owns and no merchant sees", async () => {
  const colleague = await partner.join();
  const { browser } = partner.person;
  const empty = await partner.open("test-shops");
  expect(empty.html).toContain("There is no test shop yet.");
  const made = await browser.press(empty, "Make a test shop");
  expect(made.location).toBe(partner.path("test-shops"));
  const list = await partner.open("test-shops");
  expect(list.html).toContain("Its responses are being made");
  const shopId = /shop_\w+/.exec(list.html)?.[0] ?? "";

  const members = await fixture.replicas.sql<{ id: string }[]>`
    SELECT merchant_id AS id FROM directory.memberships WHERE shop_id = ${shopId}`;
  expect(new Set(members.map(({ id }) => id))).toEqual(new Set([partner.person.id, colleague.id]));
});

test("the sixth test shop is refused, also where the page still offered it", async () => {
  const own = await partnerFixture(fixture);
  const { browser } = own.person;
  const form = await own.open("test-shops");
  for (let made = 0; made < 5; made++) await browser.press(form, "Make a test shop");
  expect((await own.open("test-shops")).html).toContain("Five are the most.");
  const refused = await browser.press(form, "Make a test shop");
  expect(refused.status).toBe(422);
  expect(refused.html).toContain("Five test shops are the most");
});
