import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { mailedInvitation, mailsTo, WITH_MAIL } from "../testing/mails.ts";
import { type MerchantFixture, merchantFixture } from "../testing/merchant-fixture.ts";
import { person, type ShopWithPeople, shopWithPeople } from "./testing/shop-with-people.ts";

const PASSWORD = "five plain words in a row";
const account = { name: "Carl", new_password: PASSWORD, new_password_again: PASSWORD };
const newEmail = () => `${randomUUID()}@new.example`;

let fixture: MerchantFixture;
let shop: ShopWithPeople;

beforeAll(async () => {
  fixture = await merchantFixture({ replicas: 2, env: WITH_MAIL });
});
afterAll(() => fixture?.replicas.stop());
beforeEach(async () => {
  shop = await shopWithPeople(fixture);
});

const people = async () => await shop.owner.browser.open(shop.path);
const invite = async (email: string) =>
  await shop.owner.browser.press(await people(), "Send the invitation", { email });
const invitations = async () =>
  await fixture.replicas.sql`
    SELECT about FROM oauth.mails WHERE shop_id = ${shop.shopId} AND kind = 'invitation' ORDER BY id`;

describe("an invitation, where mail is on", () => {
  test("goes by mail: the owner is shown no link, whom it is for, and a way to send it again", async () => {
    const email = newEmail();
    const page = await people();
    expect(page.html).toContain("We send an invitation to this address.");
    const sent = await invite(email);
    expect([sent.status, sent.location]).toEqual([303, `${shop.path}?done=sent`]);
    const list = await shop.owner.browser.open(sent.location ?? "");
    expect(list.html).toContain("The invitation is on its way.");
    expect(list.html).toContain(`<b><bdi>${email}</bdi></b>`);
    expect(list.html).not.toMatch(/link(?:=|%3D)pci_/);
    expect(await invitations()).toHaveLength(1);

    const first = await mailedInvitation(fixture, email);
    expect((await shop.owner.browser.press(list, "Send again")).status).toBe(303);
    expect(await invitations()).toHaveLength(2);
    // The new one is in the place of the former one, which ends.
    expect((await fixture.browser().open(first)).status).toBe(410);
    expect((await fixture.browser().open(await mailedInvitation(fixture, email))).status).toBe(200);
    expect((await people()).html.split(email)).toHaveLength(3);
  });

  test("makes an account, and the owners learn who joined", async () => {
    const email = newEmail();
    await invite(email);
    const link = await mailedInvitation(fixture, email);
    const browser = fixture.browser();
    const made = await browser.press(await browser.open(link), "Create account", account);
    await fixture.signIn(browser, await browser.open(made.location ?? ""), { id: "", email }, PASSWORD);
    expect((await browser.press(await browser.open(link), "Accept")).status).toBe(303);
    const [carl] = await fixture.replicas.sql<{ id: string }[]>`
      SELECT id FROM directory.merchants WHERE email = ${email}`;
    expect(await mailsTo(fixture, shop.owner)).toEqual([
      { kind: "member_added", about: { member_id: carl?.id, role: "member", by: carl?.id } },
    ]);
    // The first sign-in to an account is no news.
    expect(await mailsTo(fixture, { id: carl?.id ?? "", email })).toEqual([]);
  });

  test("that was sent twice, as after a crash, is accepted once", async () => {
    const carl = await person(fixture);
    await invite(carl.email);
    const links = [await mailedInvitation(fixture, carl.email), await mailedInvitation(fixture, carl.email)];
    const pages = await Promise.all(links.map((link) => carl.browser.open(link)));
    expect(pages.map(({ status }) => status)).toEqual([200, 200]);
    const answers = await Promise.all(pages.map((page) => carl.browser.press(page, "Accept")));
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 410]);
    for (const link of links) expect((await carl.browser.open(link)).status).toBe(410);
  });

  test("that is withdrawn, or whose maker is removed, ends with each link that was sent", async () => {
    const emails = [newEmail(), newEmail()];
    for (const email of emails) await invite(email);
    const links: string[] = [];
    for (const email of emails) links.push(await mailedInvitation(fixture, email));
    const open = async () => await Promise.all(links.map(async (link) => (await fixture.browser().open(link)).status));
    await shop.owner.browser.press(await people(), "Withdraw");
    expect(await open()).toEqual([410, 200]);
    await fixture.replicas.sql`UPDATE directory.memberships SET role = 'member' WHERE merchant_id = ${shop.owner.id}`;
    expect(await open()).toEqual([410, 410]);
  });

  test("goes to one address three times, then later again; the owner is told when", async () => {
    const email = newEmail();
    for (let n = 0; n < 3; n += 1) expect((await invite(email)).status).toBe(303);
    const refused = await invite(email);
    expect(refused.status).toBe(429);
    expect(refused.html).toContain("Please try again in 10 minutes.");
    expect(await invitations()).toHaveLength(3);
    expect((await invite(newEmail())).status).toBe(303);
  });
});

test("owners learn who was removed, and so does an owner who is", async () => {
  const second = await person(fixture);
  await fixture.replicas.sql`
    INSERT INTO directory.memberships (merchant_id, shop_id, role) VALUES (${second.id}, ${shop.shopId}, 'owner')`;
  const remove = async ({ id }: { readonly id: string }) =>
    await shop.owner.browser.press(await shop.owner.browser.open(`${shop.path}/${id}/remove`), "Remove");
  await remove(shop.member);
  await remove(second);
  const told = (memberId: string) => ({ kind: "member_removed", about: { member_id: memberId, by: shop.owner.id } });
  expect(await mailsTo(fixture, shop.owner)).toEqual([told(shop.member.id), told(second.id)]);
  expect(await mailsTo(fixture, second)).toEqual([told(shop.member.id), told(second.id)]);
  expect(await mailsTo(fixture, shop.member)).toEqual([]);
});
