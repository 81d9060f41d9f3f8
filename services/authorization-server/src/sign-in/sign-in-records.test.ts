import { expect, test } from "vitest";
import { mailsTo, WITH_MAIL } from "../testing/mails.ts";
import type { MerchantBrowser, Page } from "../testing/merchant-browser.ts";
import { PASSWORD, suiteFixture, type TestMerchant } from "../testing/merchant-fixture.ts";

const FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";

const fixture = await suiteFixture({ replicas: 2, env: { ...WITH_MAIL, LOG_LEVEL: "info" } });
const { sql } = fixture.replicas;

async function attempt(
  browser: MerchantBrowser,
  email: string,
  password = PASSWORD,
  headers: Record<string, string> = {},
): Promise<Page> {
  return await browser.press(
    await browser.open("/oauth/sign-in"),
    "Sign in",
    { email, password },
    headers,
  );
}

const recordsFrom = (address: string) => sql`
  SELECT event, actor, host(ip) AS ip, request_id, merchant_id, details FROM directory.audit_log
  WHERE ip = ${address}::text::inet ORDER BY at, id`;

async function guess(address: string, email: string, times: number): Promise<Page[]> {
  const browser = fixture.browser(address);
  const pages: Page[] = [];
  for (let n = 0; n < times; n += 1) pages.push(await attempt(browser, email, "a wrong secret"));
  return pages;
}

test("a sign-in and a sign-out everywhere are recorded in the audit log with their request ids", async () => {
  const merchant = await fixture.registerMerchant();
  const browser = fixture.browser("10.1.0.1");
  const entered = await attempt(browser, merchant.email);
  const left = await browser.press(await browser.open("/oauth/connections"), "Sign out everywhere");
  const who = {
    actor: `merchant:${merchant.id}`,
    ip: "10.1.0.1",
    merchant_id: merchant.id,
    details: {},
  };
  expect(await recordsFrom("10.1.0.1")).toEqual([
    { ...who, event: "merchant_sign_in", request_id: entered.headers["x-request-id"] },
    { ...who, event: "merchant_sign_out_everywhere", request_id: left.headers["x-request-id"] },
  ]);
});

test("a sign-in that can't be recorded gets 503, and the device still counts as new at the next sign-in", async () => {
  const merchant = await fixture.registerMerchant();
  await fixture.signedIn(merchant);
  const browser = fixture.browser();
  const stuck = await sql.begin(async (transaction) => {
    await transaction`LOCK TABLE directory.audit_log IN ACCESS EXCLUSIVE MODE`;
    return await attempt(browser, merchant.email);
  });
  expect(stuck.status).toBe(503);
  expect(browser.cookies.has("__Host-merchant_session")).toBe(false);
  expect((await attempt(browser, merchant.email)).status).toBe(303);
  expect(await mailsTo(fixture, merchant)).toMatchObject([{ kind: "new_device" }]);
});

test("after six wrong passwords, further attempts get 429 with Retry-After, and one audit record over all replicas", async () => {
  const merchant = await fixture.registerMerchant();
  const pages = await guess("10.1.0.3", merchant.email, 12);
  const statuses = pages.map(({ status }) => status);
  expect(statuses).toEqual([...Array(6).fill(422), ...Array(6).fill(429)]);
  const first = pages[6];
  expect(Number(first?.headers["retry-after"])).toBeGreaterThan(60);
  expect(first?.html).toMatch(/Try again in \d+ minutes/);
  expect(await recordsFrom("10.1.0.3")).toEqual([
    {
      event: "sign_in_throttled",
      actor: "system",
      ip: "10.1.0.3",
      request_id: first?.headers["x-request-id"],
      merchant_id: merchant.id,
      details: { by: "network and account" },
    },
  ]);
});

test("the audit record of throttled guesses has no unknown email, which may be a password", async () => {
  await guess("10.1.0.4", "my-secret-password", 8);
  const records = await recordsFrom("10.1.0.4");
  expect(records).toMatchObject([{ event: "sign_in_throttled", merchant_id: null }]);
  expect(JSON.stringify(records)).not.toContain("secret");
});

test("the log of a sign-in has the reason and the account's id, but neither the email nor the password", async () => {
  const recordOf = async (email: string, password: string, address?: string) => {
    const { headers } = await attempt(fixture.browser(address), email, password);
    const records = fixture.replicas.records.filter(
      ({ reqId, msg }) => reqId === headers["x-request-id"] && msg === "request",
    );
    expect(records).toHaveLength(1);
    return records[0] ?? {};
  };
  const merchant = await fixture.registerMerchant();
  const typed = "typed into the wrong field";
  const wrong = await recordOf(merchant.email, typed);
  const refused = { status: 422, reason: "wrong_password", outcome: "refused" };
  expect(wrong).toMatchObject({ ...refused, merchant_id: merchant.id });
  const nobody = await recordOf(typed, "x");
  expect(nobody).toMatchObject(refused);
  expect(nobody).not.toHaveProperty("merchant_id");

  expect(await recordOf(merchant.email, PASSWORD)).toMatchObject({
    outcome: "signed_in",
    merchant_id: merchant.id,
  });
  await sql`UPDATE directory.merchants SET status = 'disabled' WHERE id = ${merchant.id}`;
  expect(await recordOf(merchant.email, PASSWORD)).toMatchObject({
    status: 403,
    reason: "account_disabled",
  });

  const address = "10.9.8.7";
  for (let guesses = 0; guesses < 6; guesses += 1) await recordOf(typed, "x", address);
  const throttled = { status: 429, reason: "throttled", limit: "sign_in", outcome: "throttled" };
  expect(await recordOf(typed, "x", address)).toMatchObject(throttled);

  const log = JSON.stringify(fixture.replicas.records).toLowerCase();
  for (const secret of [typed, merchant.email, PASSWORD])
    expect(log).not.toContain(secret.toLowerCase());
});

async function signIn(
  { email }: TestMerchant,
  browser = fixture.browser("10.1.2.3"),
  language = "en",
) {
  const headers = { "user-agent": FIREFOX, "accept-language": language };
  expect((await attempt(browser, email, PASSWORD, headers)).status).toBe(303);
  return browser;
}
const signOut = async (browser: Awaited<ReturnType<typeof signIn>>) =>
  await browser.press(await browser.open("/oauth/connections"), "Sign out");

test("a mail reports a sign-in from a new device once, but neither the account's first sign-in nor a wrong password", async () => {
  const ada = await fixture.registerMerchant();
  const first = await signIn(ada);
  await signOut(first);
  await signIn(ada, first);
  expect(await mailsTo(fixture, ada)).toEqual([]);
  const second = await signIn(ada);
  const told = { kind: "new_device", about: { device: "Firefox, Linux", address: "10.1.2.3" } };
  expect(await mailsTo(fixture, ada)).toEqual([told]);
  await signOut(second);
  await signIn(ada, second);
  expect((await attempt(fixture.browser(), ada.email, "not this one")).status).toBe(422);
  expect(await mailsTo(fixture, ada)).toEqual([told]);
});

test("a sign-in stores the browser's language for the merchant's mails", async () => {
  const ada = await fixture.registerMerchant();
  const language = async () =>
    (await sql`SELECT language FROM directory.merchants WHERE id = ${ada.id}`)[0]?.["language"];
  expect(await language()).toBeNull();
  for (const [asked, expected] of [
    ["de-AT,de;q=0.9,en;q=0.5", "de"],
    ["fr", "fr"],
    ["nl", "en"],
  ] as const) {
    await signOut(await signIn(ada, fixture.browser(), asked));
    expect(await language()).toBe(expected);
  }
});
