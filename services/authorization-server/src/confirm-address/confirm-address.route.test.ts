import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { mailedLink, mailsTo, passLinkTime, WITH_MAIL } from "../testing/mails.ts";
import type { MerchantBrowser } from "../testing/merchant-browser.ts";
import { type MerchantFixture, merchantFixture, type TestMerchant } from "../testing/merchant-fixture.ts";

const PATH = "/oauth/confirm-address";

let fixture: MerchantFixture;
let ada: TestMerchant;
let browser: MerchantBrowser;

beforeAll(async () => {
  fixture = await merchantFixture({ replicas: 2, env: WITH_MAIL });
});
afterAll(() => fixture?.replicas.stop());
beforeEach(async () => {
  ada = await fixture.registerMerchant();
  await fixture.replicas.sql`UPDATE directory.merchants SET confirmed = false WHERE id = ${ada.id}`;
  browser = await signedIn(ada);
});

async function signedIn(merchant: TestMerchant): Promise<MerchantBrowser> {
  const own = fixture.browser();
  await fixture.signIn(own, await own.open("/oauth/sign-in"), merchant);
  return own;
}

async function isConfirmed(): Promise<boolean> {
  const [row] = await fixture.replicas.sql<{ confirmed: boolean }[]>`
    SELECT confirmed FROM directory.merchants WHERE id = ${ada.id}`;
  return row?.confirmed ?? false;
}
const linkFor = async (merchant: TestMerchant) => await mailedLink(fixture, merchant, { purpose: "confirm_address" });

describe("an account that nobody has confirmed", () => {
  test("is told so with its connected apps, and is confirmed by a link that goes to its address", async () => {
    const apps = await browser.open("/oauth/connections");
    expect(apps.html).toContain(`Your email address is not confirmed yet. <a href="${PATH}">`);
    const asked = await browser.press(await browser.open(PATH), "Send me the link");
    expect([asked.status, asked.location]).toEqual([303, `${PATH}?sent=1`]);
    expect((await browser.open(asked.location ?? "")).html).toContain("<strong>post@connect.example</strong> to");
    expect(await mailsTo(fixture, ada)).toEqual([{ kind: "confirm_address", about: {} }]);

    const token = await linkFor(ada);
    const opened = await browser.open(`${PATH}?link=${token}`);
    expect(opened.headers["referrer-policy"]).toBe("strict-origin");
    expect(await isConfirmed()).toBe(false);
    const done = await browser.press(opened, "Confirm");
    expect((await browser.open(done.location ?? "")).html).toContain("Your email address is confirmed.");
    expect(await isConfirmed()).toBe(true);
    expect((await browser.open("/oauth/connections")).html).not.toContain("not confirmed yet");
    expect(
      await fixture.replicas
        .sql`SELECT actor FROM directory.audit_log WHERE merchant_id = ${ada.id} AND event = 'merchant_confirm'`,
    ).toEqual([{ actor: `merchant:${ada.id}` }]);
    // The mail program opens it once more.
    expect((await browser.open(`${PATH}?link=${token}`)).html).toContain("Your email address is confirmed.");
  });

  test("is not confirmed by who has the mailbox and can't sign in: it may be a stranger's account in her name", async () => {
    const stranger = fixture.browser();
    const { status, location } = await stranger.open(`${PATH}?link=${await linkFor(ada)}`);
    expect([status, location]).toEqual([303, expect.stringMatching(/^\/oauth\/sign-in\?return=/)]);
    // Who can sign in comes back to the link.
    const back = await fixture.signIn(stranger, await stranger.open(location ?? ""), ada);
    const opened = await stranger.open(back.location ?? "");
    expect((await stranger.press(opened, "Confirm")).status).toBe(303);
    expect(await isConfirmed()).toBe(true);
  });

  test.each<[string, () => Promise<string>]>([
    ["invented", async () => `pcl_${"a".repeat(43)}`],
    ["for another account", async () => await linkFor(await fixture.registerMerchant())],
    ["of another purpose", async () => await mailedLink(fixture, ada, { purpose: "reset_password" })],
    [
      "expired",
      async () => {
        const token = await linkFor(ada);
        await passLinkTime(fixture, token, 7 * 24 * 60);
        return token;
      },
    ],
  ])("is not confirmed by a link that is %s, and is told so", async (_, make) => {
    const page = await browser.open(`${PATH}?link=${await make()}`);
    expect(page.status).toBe(410);
    expect(page.html).toContain("A link to confirm an address works once and for seven days");
    expect((await browser.press(page, "Send me the link")).status).toBe(303);
    expect(await isConfirmed()).toBe(false);
  });

  test("is confirmed once by a link that is pressed twice at once, or ended meanwhile", async () => {
    const token = await linkFor(ada);
    const [page, again] = [await browser.open(`${PATH}?link=${token}`), await browser.open(`${PATH}?link=${token}`)];
    const answers = await Promise.all([browser.press(page, "Confirm"), browser.press(again, "Confirm")]);
    const ends = answers.map(({ status }) => status).sort();
    expect(ends[0]).toBe(303);
    expect([303, 410]).toContain(ends[1]);
    const records = await fixture.replicas.sql`
      SELECT FROM directory.audit_log WHERE merchant_id = ${ada.id} AND event = 'merchant_confirm'`;
    expect(records).toHaveLength(1);
  });

  test("takes no form of another browser, and no more than three mails at once", async () => {
    const form = await browser.open(PATH);
    const other = await signedIn(ada);
    await other.open(PATH);
    const refused = await other.press(form, "Send me the link");
    expect(refused.status).toBe(403);
    expect(refused.html).toContain("nothing was changed");
    const statuses = [];
    for (let n = 0; n < 4; n += 1) statuses.push((await browser.press(form, "Send me the link")).status);
    expect(statuses).toEqual([303, 303, 303, 429]);
  });
});

test("where mail is off, nothing is offered", async () => {
  const off = await merchantFixture();
  const merchant = await off.registerMerchant();
  await off.replicas.sql`UPDATE directory.merchants SET confirmed = false WHERE id = ${merchant.id}`;
  const own = off.browser();
  await off.signIn(own, await own.open("/oauth/sign-in"), merchant);
  expect((await own.open("/oauth/connections")).html).not.toContain("not confirmed yet");
  expect((await own.open(PATH)).html).not.toContain("Send me the link");
  await off.replicas.stop();
});
