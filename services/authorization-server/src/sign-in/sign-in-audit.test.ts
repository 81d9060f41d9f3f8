import { describe, expect, test } from "vitest";
import type { MerchantBrowser, Page } from "../testing/merchant-browser.ts";
import { suiteFixture, type TestMerchant } from "../testing/merchant-fixture.ts";

const fixture = await suiteFixture({ replicas: 2 });

interface SignInRecord {
  readonly event: string;
  readonly actor: string;
  readonly ip: string;
  readonly request_id: string;
  readonly merchant_id: string | null;
  readonly details: object;
}

const recordsFrom = (address: string) => fixture.replicas.sql<SignInRecord[]>`
  SELECT event, actor, host(ip) AS ip, request_id, merchant_id, details FROM directory.audit_log
  WHERE ip = ${address}::text::inet ORDER BY at, id`;

async function signedIn(address: string, merchant: TestMerchant): Promise<[MerchantBrowser, Page]> {
  const browser = fixture.browser(address);
  return [browser, await fixture.signIn(browser, await browser.open("/oauth/sign-in"), merchant)];
}

async function guess(address: string, email: string, times: number): Promise<Page[]> {
  const browser = fixture.browser(address);
  const form = await browser.open("/oauth/sign-in");
  const pages: Page[] = [];
  for (let n = 0; n < times; n += 1) {
    pages.push(await browser.press(form, "Sign in", { email, password: "a wrong secret" }));
  }
  return pages;
}

/** Runs `work` while nothing can be recorded. */
async function withLogStuck<T>(work: () => Promise<T>): Promise<T> {
  return (await fixture.replicas.sql.begin(async (transaction) => {
    await transaction`LOCK TABLE directory.audit_log IN ACCESS EXCLUSIVE MODE`;
    return await work();
  })) as T;
}

describe("signing in and out", () => {
  test("a sign-in and a sign-out everywhere are recorded with their requests", async () => {
    const merchant = await fixture.registerMerchant();
    const [browser, entered] = await signedIn("10.1.0.1", merchant);
    const left = await browser.press(await browser.open("/oauth/connections"), "Sign out everywhere");
    const who = { actor: `merchant:${merchant.id}`, ip: "10.1.0.1", merchant_id: merchant.id, details: {} };
    expect(await recordsFrom("10.1.0.1")).toEqual([
      { ...who, event: "merchant_sign_in", request_id: entered.headers["x-request-id"] },
      { ...who, event: "merchant_sign_out_everywhere", request_id: left.headers["x-request-id"] },
    ]);
  });

  test("nobody is signed in while it can't be recorded: that is a fault, and works afterwards", async () => {
    const merchant = await fixture.registerMerchant();
    const browser = fixture.browser("10.1.0.2");
    const form = await browser.open("/oauth/sign-in");
    const stuck = await withLogStuck(() => fixture.signIn(browser, form, merchant));
    expect(stuck.status).toBe(503);
    expect(browser.cookies.has("__Host-merchant_session")).toBe(false);
    expect((await fixture.signIn(browser, form, merchant)).status).toBe(303);
  });
});

describe("throttled guesses", () => {
  test("are recorded when they begin to be throttled, once over all replicas, and name the account", async () => {
    const merchant = await fixture.registerMerchant();
    const pages = await guess("10.1.0.3", merchant.email, 12);
    expect(pages.filter(({ status }) => status === 429)).toHaveLength(6);
    const [first] = pages.filter(({ status }) => status === 429);
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

  test("of an email that is nobody's leave it out: it may be a password", async () => {
    await guess("10.1.0.4", "my-secret-password", 8);
    const records = await recordsFrom("10.1.0.4");
    expect(records).toMatchObject([{ event: "sign_in_throttled", merchant_id: null }]);
    expect(JSON.stringify(records)).not.toContain("secret");
  });
});
