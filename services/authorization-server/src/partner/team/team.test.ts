import { findInvitation, inviteMember } from "@partner-connect/directory";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { type MerchantFixture, merchantFixture, PASSWORD } from "../../testing/merchant-fixture.ts";
import { type PartnerFixture, partnerFixture } from "../../testing/partner-fixture.ts";
import { addPasskey } from "../../testing/passkey-walks.ts";

let fixture: MerchantFixture;
let partner: PartnerFixture;
beforeAll(async () => {
  fixture = await merchantFixture();
});
afterAll(() => fixture?.replicas.stop());
afterEach(() => vi.useRealTimers());
beforeEach(async () => {
  partner = await partnerFixture(fixture);
});

const clientId = () => partner.client.clientId;
const team = async () =>
  (
    await fixture.replicas.sql`
      SELECT merchant_id, role FROM directory.client_members WHERE client_id = ${clientId()} ORDER BY role DESC, created_at`
  ).map(({ merchant_id, role }) => [merchant_id, role]);
const events = async () =>
  (await fixture.replicas.sql`SELECT event, actor FROM directory.audit_log WHERE client_id = ${clientId()} ORDER BY id`)
    .map(({ event, actor }) => [event, actor])
    .filter(([event]) => String(event).startsWith("partner_"));
const mails = async () =>
  (
    await fixture.replicas.sql`
      SELECT kind, merchant_id, about FROM oauth.mails WHERE about ->> 'client_id' = ${clientId()} ORDER BY id`
  ).map(({ kind, merchant_id, about }) => [kind, merchant_id, about]);
const invited = (link: string) => `/oauth/invitation?link=${link}`;

describe("an operator's invitation to a client", () => {
  const invite = (email: string, role = "member") =>
    inviteMember(fixture.replicas.sql, { clientId: clientId(), email, role }, { name: "operator:otto" });

  test("makes an account for who has none, and leads to the client's pages", async () => {
    const { token } = await invite("new@lookout.example", "owner");
    const browser = fixture.browser();
    const page = await browser.open(invited(token));
    expect(page.html).toContain("Lookout");
    const form = { name: "Nia", new_password: PASSWORD, new_password_again: PASSWORD };
    const made = await browser.press(page, "Create account", form);
    const signIn = await browser.open(made.location ?? "");
    const back = await browser.press(signIn, "Sign in", { email: "new@lookout.example", password: PASSWORD });
    const accepted = await browser.press(await browser.open(back.location ?? ""), "Accept");
    expect(accepted.location).toBe(partner.path());
    expect((await browser.open(partner.path("team"))).html).toContain("Nia");
  });

  test("is accepted by an account that there is, once", async () => {
    const merchant = await fixture.registerMerchant();
    const { token } = await invite(merchant.email);
    const browser = fixture.browser();
    await fixture.signIn(browser, await browser.open("/oauth/sign-in"), merchant);
    const page = await browser.open(invited(token));
    expect((await browser.press(page, "Accept")).location).toBe(partner.path());
    expect(await team()).toContainEqual([merchant.id, "member"]);
    expect((await browser.press(page, "Accept")).status).toBe(410);
    const about = { client_id: clientId(), member_id: merchant.id, role: "member", by: merchant.id };
    expect(await mails()).toContainEqual(["client_team_changed", partner.owner.id, about]);
    expect(await events()).toEqual([
      ["partner_invite", "operator:otto"],
      ["partner_add", `merchant:${merchant.id}`],
    ]);
  });

  test("of a client that doesn't exist is refused", async () => {
    const invitation = { clientId: "none", email: "a@b.example", role: "owner" };
    await expect(inviteMember(fixture.replicas.sql, invitation, { name: "operator:otto" })).rejects.toMatchObject({
      code: "UNKNOWN_CLIENT",
    });
  });
});

describe("the team", () => {
  test("is invited by an owner; the link of one who is no owner any more has ended", async () => {
    const { browser } = partner.owner;
    const made = await browser.press(await partner.open("team"), "Make an invitation link", {
      email: "colleague@lookout.example",
    });
    const page = await browser.open(made.location ?? "");
    const token = /link=(pci_[\w-]+)/.exec(page.html)?.[1] ?? "";
    expect(await findInvitation(fixture.replicas.sql, token)).toMatchObject({
      to: { kind: "client", id: clientId() },
      inviterId: partner.owner.id,
    });
    await fixture.replicas
      .sql`UPDATE directory.client_members SET role = 'member' WHERE merchant_id = ${partner.owner.id}`;
    expect((await fixture.browser().open(invited(token))).status).toBe(410);
  });

  test("changes roles and removes people, on record, and the owners get a mail; who was removed finds nothing", async () => {
    const member = await partner.join("member");
    const { browser } = partner.owner;
    const sent = await browser.press(await partner.open("team"), "Make an owner");
    expect(sent.location).toBe(partner.path("team"));
    expect(await team()).toContainEqual([member.id, "owner"]);
    const confirm = await browser.open(partner.path(`team/${member.id}/remove`));
    const removed = await browser.press(confirm, "Remove");
    expect(removed.location).toBe(`${partner.path("team")}?done=removed`);
    expect((await member.browser.open(partner.path())).status).toBe(404);
    expect((await events()).map(([event]) => event)).toEqual(["partner_role", "partner_remove"]);
    const about = { client_id: clientId(), member_id: member.id, by: partner.owner.id };
    const told = (role?: string) =>
      [partner.owner.id, member.id].map((id) => ["client_team_changed", id, { ...about, ...(role && { role }) }]);
    expect((await mails()).toSorted()).toEqual([...told("owner"), ...told()].toSorted());
  });

  test("keeps one owner, who can't leave; a member can", async () => {
    const member = await partner.join("member");
    expect((await partner.open("leave")).html).toContain("An app keeps one owner at least.");
    const left = await member.browser.press(await member.browser.open(partner.path("leave")), "Leave this app");
    expect(left.location).toBe("/partner");
    expect(await team()).toEqual([[partner.owner.id, "owner"]]);
  });

  test("shows its list to a member, without forms; a member's change is 403 and changes nothing", async () => {
    const { browser } = await partner.join("member");
    const page = await browser.open(partner.path("team"));
    expect(page.html).not.toContain("Make an");
    const { html, status } = await browser.open(partner.path(`team/${partner.owner.id}/remove`));
    expect([status, html.includes("Only owners of the app may do this.")]).toEqual([403, true]);
    expect(await team()).toHaveLength(2);
  });

  test("is changed after a fresh proof where the account has a passkey", async () => {
    const { browser } = partner.owner;
    const page = await partner.open("team");
    await addPasskey(browser);
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 601_000 });
    const asked = await browser.press(page, "Make an invitation link", { email: "a@lookout.example" });
    expect(asked.location).toMatch(/^\/oauth\/account\/confirm\?return=/);
  });

  test("of a form that is out of date nothing is sent", async () => {
    const { browser } = partner.owner;
    const page = await partner.open("team");
    const stale = { email: "a@lookout.example", token: "of another page" };
    expect((await browser.press(page, "Make an invitation link", stale)).status).toBe(403);
  });

  test("after the session has ended the page leads to the sign-in and back", async () => {
    const page = await partner.open("team");
    const { browser } = partner.owner;
    browser.cookies.delete("__Host-merchant_session");
    const { location } = await browser.press(page, "Make an invitation link", { email: "a@lookout.example" });
    expect(location).toMatch(/^\/oauth\/sign-in\?return=/);
    const back = await fixture.signIn(browser, await browser.open(location ?? ""), partner.owner);
    expect((await browser.open(back.location ?? "")).html).toContain('value="a@lookout.example"');
  });
});
