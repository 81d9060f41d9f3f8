import { expect, test } from "vitest";
import { PASSWORD, suiteFixture } from "../testing/merchant-fixture.ts";
import { accountHash } from "./confirm-password.ts";

const fixture = await suiteFixture({ env: { LOG_LEVEL: "info" } });

/** The record of an attempt to sign in. */
async function attempt(email: string, password: string, address?: string): Promise<Record<string, unknown>> {
  const browser = fixture.browser(address);
  const page = await browser.open("/oauth/sign-in");
  const { headers } = await browser.press(page, "Sign in", { email, password });
  const records = fixture.replicas.records.filter(
    ({ reqId, msg }) => reqId === headers["x-request-id"] && msg === "request",
  );
  expect(records).toHaveLength(1);
  return records[0] ?? {};
}

test("a refused sign-in is logged with its reason and a keyed hash of the account, never with what was typed", async () => {
  const merchant = await fixture.registerMerchant();
  const typed = "typed into the wrong field";
  const wrong = await attempt(merchant.email, typed);
  expect(wrong).toMatchObject({ status: 422, reason: "wrong_password", outcome: "refused" });
  const again = await attempt(` ${merchant.email.toUpperCase()}`, "x");
  const nobody = await attempt(typed, "x");
  expect(wrong["account"]).toMatch(/^[\w-]{16}$/);
  expect(again["account"]).toBe(wrong["account"]);
  expect(nobody).toMatchObject({ reason: "wrong_password", account: expect.any(String) });
  expect(nobody["account"]).not.toBe(wrong["account"]);

  expect(await attempt(merchant.email, PASSWORD)).toMatchObject({ outcome: "signed_in", merchant_id: merchant.id });
  await fixture.replicas.sql`UPDATE directory.merchants SET status = 'disabled' WHERE id = ${merchant.id}`;
  expect(await attempt(merchant.email, PASSWORD)).toMatchObject({ status: 403, reason: "account_disabled" });

  const address = "10.9.8.7";
  for (let guesses = 0; guesses < 6; guesses += 1) await attempt(typed, "x", address);
  const throttled = {
    status: 429,
    reason: "throttled",
    limit: "sign_in",
    outcome: "throttled",
    account: nobody["account"],
  };
  expect(await attempt(typed, "x", address)).toMatchObject(throttled);

  const log = JSON.stringify(fixture.replicas.records).toLowerCase();
  for (const secret of [typed, merchant.email, PASSWORD]) expect(log).not.toContain(secret.toLowerCase());
});

test("what comes of an authorization is in its records: begun, refused, declined, approved", async () => {
  const [merchant, browser] = [await fixture.registerMerchant(), fixture.browser()];
  const shop = await fixture.registerShop("A shop", "advanced_attribution", merchant);
  const of = (outcome: string) => fixture.replicas.records.filter((record) => record["outcome"] === outcome);
  const refused = await browser.open("/oauth/api/authorize?client_id=secret");
  expect(refused.status).toBe(400);
  expect(of("refused").at(-1)).toMatchObject({ reason: "invalid_client", detail: "client_id is not registered" });
  const { path, page } = await fixture.consent(browser, merchant);
  expect(of("begun").at(-1)).toMatchObject({ route: "/oauth/api/authorize", client_id: fixture.client.clientId });
  const shopValue = page.forms.flatMap(({ radios }) => radios)[0]?.value ?? "";
  await browser.press(page, "Approve", { shop: shopValue });
  const ids = { client_id: fixture.client.clientId, merchant_id: merchant.id };
  expect(of("approved").at(-1)).toMatchObject({ ...ids, shop_id: shop });
  expect((await browser.open(path)).status).toBe(200);
  expect(fixture.replicas.records.at(-1)).toMatchObject({ status: 200, reason: "already_approved" });
  const second = await fixture.consent(browser, merchant);
  await browser.press(second.page, "Decline");
  expect(of("declined").at(-1)).toMatchObject(ids);
  expect(JSON.stringify(fixture.replicas.records)).not.toContain("=secret");
});

test("the hash's key is the password of our role in Postgres; without one there is no hash", () => {
  const hash = (email: string) => accountHash("postgres://role:one@a,b:5432/db", email);
  expect(hash("A@b.example ")).toBe(accountHash("postgres://role:one@b,a/db?x=y", "a@b.example"));
  // A Kelvin sign, which JavaScript and Postgres write small as k: no account has it.
  expect(hash("\u212a@b.example")).not.toBe(hash("k@b.example"));
  expect(hash("a@b.example")).not.toBe(accountHash("postgres://role:two@a/db", "a@b.example"));
  for (const url of ["postgres://role@a/db", "postgres://a/db", "postgres://role:@a/db"]) {
    expect(accountHash(url, "a@b.example")).toBeUndefined();
  }
});
