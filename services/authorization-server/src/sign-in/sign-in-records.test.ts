import { expect, test } from "vitest";
import { PASSWORD, suiteFixture } from "../testing/merchant-fixture.ts";

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

test("a refused sign-in is logged with its reason and the id of the account, if there is one, never with what was typed", async () => {
  const merchant = await fixture.registerMerchant();
  const typed = "typed into the wrong field";
  const wrong = await attempt(merchant.email, typed);
  const refused = { status: 422, reason: "wrong_password", outcome: "refused" };
  expect(wrong).toMatchObject({ ...refused, merchant_id: merchant.id });
  const nobody = await attempt(typed, "x");
  expect(nobody).toMatchObject(refused);
  expect(nobody).not.toHaveProperty("merchant_id");

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
  };
  expect(await attempt(typed, "x", address)).toMatchObject(throttled);

  const log = JSON.stringify(fixture.replicas.records).toLowerCase();
  for (const secret of [typed, merchant.email, PASSWORD]) expect(log).not.toContain(secret.toLowerCase());
});
