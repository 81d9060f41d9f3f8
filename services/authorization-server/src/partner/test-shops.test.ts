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
  const empty = await partner.open("settings");
  const made = await browser.press(empty, "Create test shop");
  expect(made.location).toBe(partner.path("settings"));
  const list = await partner.open("settings");
  expect(list.html).toContain("Creating responses…");
  const shopId = /shop_\w+/.exec(list.html)?.[0] ?? "";

  const members = await fixture.replicas.sql<{ id: string }[]>`
    SELECT merchant_id AS id FROM directory.memberships WHERE shop_id = ${shopId}`;
  expect(new Set(members.map(({ id }) => id))).toEqual(new Set([partner.person.id, colleague.id]));
});

test("the sixth test shop is refused, also where the page still offered it", async () => {
  const own = await partnerFixture(fixture);
  const { browser } = own.person;
  const form = await own.open("settings");
  for (let made = 0; made < 5; made++) await browser.press(form, "Create test shop");
  expect((await own.open("settings")).html).toContain("You can have up to five test shops.");
  const refused = await browser.press(form, "Create test shop");
  expect(refused.status).toBe(422);
  expect(refused.html).toContain("You can have up to five test shops.");
});
