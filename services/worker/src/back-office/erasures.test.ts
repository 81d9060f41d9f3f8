import { approve, refresher } from "@partner-connect/connections";
import { connect } from "@partner-connect/connections/testing";
import { waitingSessions } from "@partner-connect/database/testing";
import { createApiKey, shopsOfMerchant } from "@partner-connect/directory";
import { onboardClient, TEST_OPERATOR } from "@partner-connect/directory/testing";
import { runErasure } from "@partner-connect/erasure";
import { shopKeeper } from "@partner-connect/survey-data/testing";
import { afterEach, expect, test } from "vitest";
import { suiteInternalApi } from "../internal-api/testing.ts";
import { startWorker, type TestWorker } from "../testing.ts";

const { owner, sql, backOfficeUrl, call } = await suiteInternalApi();
const { clientId } = await onboardClient(owner);
const SHOP = { name: "Hats", domain: "hats.example", plan: "standard" };
const ANNA = { email: "anna@shop.example", name: "Anna" };

let backOffice: TestWorker | null = null;
const startBackOffice = async () => {
  backOffice = await startWorker(backOfficeUrl, "back-office.main.ts");
};
afterEach(async () => {
  backOffice?.process.kill("SIGKILL");
  await backOffice?.ended;
});

const put = async (path: string, body?: object) =>
  (await call("PUT", `/internal/${path}`, body)).status;
const erase = async (path: string) => (await call("DELETE", `/internal/${path}`)).status;

/** Creates a shop with one of everything. Returns a function that reads what still has access. */
async function connectedShop(shopId: string) {
  for (const [path, body] of [
    ["merchants/7", ANNA],
    [`shops/${shopId}`, SHOP],
    [`shops/${shopId}/members/7`, undefined],
  ] as const) {
    expect([200, 201, 204]).toContain(await put(path, body));
  }
  const { refreshTokenHash } = await connect(owner, { shopId, clientId, merchantId: "7" });
  const { id: apiKeyId } = await createApiKey(owner, shopId, TEST_OPERATOR);
  await shopKeeper(owner).importInto(shopId, { question: "Who?", response: "TV" });
  const live = async () => ({
    refresh: (await refresher(owner, 1000)({ shopId, clientId, refreshTokenHash, isKnown: true }))
      .outcome,
    apiKey:
      await owner`SELECT FROM directory.api_keys WHERE id = ${apiKeyId} AND revoked_at IS NULL`,
    shops: (await shopsOfMerchant(owner, "7")).filter(({ id }) => id === shopId),
  });
  expect(await live()).toMatchObject({
    refresh: "refreshed",
    apiKey: [{}],
    shops: [{ id: shopId }],
  });
  return live;
}

const rowsOf = async (shopId: string) =>
  await owner`
    SELECT shop_id FROM survey.responses WHERE shop_id = ${shopId} UNION ALL SELECT shop_id FROM oauth.connections WHERE shop_id = ${shopId}
    UNION ALL SELECT shop_id FROM directory.api_keys WHERE shop_id = ${shopId} UNION ALL SELECT id FROM directory.shops WHERE id = ${shopId}`;

test("when a DELETE of a shop returns, all access has ended, but the id is free only after the erasure", async () => {
  const live = await connectedShop("42");
  expect([await erase("shops/42"), await erase("shops/42")]).toEqual([204, 204]);
  expect(await live()).toEqual({ refresh: "revoked", apiKey: [], shops: [] });
  expect([await put("shops/42", SHOP), await put("shops/42/members/7")]).toEqual([409, 409]);
  expect((await call("PUT", "/internal/shops/42", SHOP)).headers["retry-after"]).toBe("2");
  const question = [{ id: 1, prompt: "Who?", type: "open_ended" }];
  expect((await call("POST", "/internal/shops/42/questions", question)).status, "unknown").toBe(
    404,
  );
  await startBackOffice();
  await expect.poll(() => rowsOf("42"), { timeout: 20_000 }).toEqual([]);
  const named =
    await owner`SELECT FROM oauth.audit_log WHERE shop_id = '42' AND details ?| ARRAY['name', 'domain', 'email']`;
  expect(named, "names leave the audit log").toHaveLength(0);
  const done =
    await owner`SELECT DISTINCT actor FROM oauth.audit_log WHERE shop_id = '42' AND event IN ('revoke', 'forget', 'shop_erase')`;
  expect(done).toEqual([{ actor: "product:survey" }]);
  expect(
    await owner`SELECT FROM worker_jobs.job WHERE data ->> 'kind' <> 'app_connected'`,
    "no mail",
  ).toHaveLength(0);

  expect(await put("shops/42", SHOP)).toBe(201);
  expect(await live()).toEqual({ refresh: "revoked", apiKey: [], shops: [] });
  const again = await connectedShop("42");
  expect([(await again()).refresh, (await live()).refresh]).toEqual(["refreshed", "revoked"]);
});

test("a DELETE of a shop gets 204 even if another process erases the shop during the request", async () => {
  await connectedShop("46");
  const deletion = await owner.begin(async (erasing) => {
    await erasing`SELECT FROM oauth.connections WHERE shop_id = '46' FOR UPDATE`;
    const status = erase("shops/46");
    await expect.poll(() => waitingSessions(owner), { timeout: 10_000 }).toBeGreaterThan(0);
    await erasing`DELETE FROM oauth.connections WHERE shop_id = '46'`;
    await erasing`DELETE FROM directory.shops WHERE id = '46'`;
    return { status };
  });
  expect(await deletion.status).toBe(204);
});

test("when a DELETE of a merchant returns, all sessions have ended, but the id is free only after the erasure", async () => {
  await connectedShop("43");
  const account = async () =>
    (await owner<Record<string, number>[]>`SELECT * FROM directory.merchants WHERE id = '7'`)[0] ??
    {};
  const before = await account();
  await put("merchants/8", { ...ANNA, email: "disabled@shop.example", status: "disabled" });
  await put("shops/45", SHOP);
  const requests: unknown[] = [];
  for (const path of ["shops/45", "merchants/8"])
    requests.push((await call("DELETE", `/internal/${path}`)).headers["x-request-id"]);
  await erase("merchants/8"); // a repeated DELETE is not recorded
  await owner`INSERT INTO directory.merchant_identities (issuer, subject, merchant_id) VALUES ('https://i.example', '7', '7')`;
  expect([
    await erase("merchants/7"),
    await erase("merchants/7"),
    await put("merchants/7", ANNA),
  ]).toEqual([204, 204, 409]);
  expect(await account()).toMatchObject({
    status: "disabled",
    session_epoch: (before["session_epoch"] ?? 0) + 1,
  });
  expect(await shopsOfMerchant(owner, "7")).toEqual([]);
  await startBackOffice();
  await expect.poll(async () => (await account())["erased_at"], { timeout: 20_000 }).not.toBeNull();
  const audited = async () =>
    await owner`
      SELECT event, actor, request_id FROM directory.audit_log WHERE merchant_id = '8' AND event LIKE '%erase%'
      UNION ALL SELECT event, actor, request_id FROM oauth.audit_log WHERE shop_id = '45' AND event LIKE '%erase%'
      ORDER BY event`;
  const of = (event: string, n: number) => ({
    event,
    actor: "product:survey",
    request_id: requests[n],
  });
  await expect
    .poll(audited, { timeout: 20_000 })
    .toEqual([
      of("merchant_erase", 1),
      of("merchant_erase_request", 1),
      of("shop_erase", 0),
      of("shop_erase_request", 0),
    ]);
  expect(await account()).toMatchObject({
    name: "–",
    email: expect.stringContaining("@erased.invalid"),
  });
  expect(await owner`SELECT FROM directory.merchant_identities`).toHaveLength(0);
  expect(
    await owner`SELECT FROM directory.audit_log WHERE details::text LIKE '%anna@%'`,
  ).toHaveLength(0);
  expect((await call("PUT", "/internal/shops/43/members/7")).status, "unknown").toBe(404);

  expect(await put("merchants/7", ANNA)).toBe(201);
  const after = await account();
  expect(after).toMatchObject({ ...ANNA, status: "active", password_hash: null, erased_at: null });
  expect(after["session_epoch"]).toBeGreaterThan(before["session_epoch"] ?? 0);
  expect(await shopsOfMerchant(owner, "7")).toEqual([]);
});

test.each([
  ["shop", SHOP, "erase_requested_at = NULL"],
  [
    "merchant",
    { ...ANNA, email: "again@shop.example" },
    "erase_requested_at = NULL, status = 'disabled', password_hash = 'new'",
  ],
] as const)(
  "a delayed erasure job leaves a new %s with the same id unchanged",
  async (what, record, again) => {
    expect([await put(`${what}s/47`, record), await erase(`${what}s/47`)]).toEqual([201, 204]);
    const { job } = await owner.begin(async (other) => {
      await other`LOCK TABLE ${other(`directory.${what}s`)} IN EXCLUSIVE MODE`;
      const job = runErasure(sql, { what, id: "47", by: "product:survey" });
      await expect.poll(() => waitingSessions(owner), { timeout: 10_000 }).toBeGreaterThan(0);
      await other.unsafe(`UPDATE directory.${what}s SET ${again} WHERE id = '47'`);
      return { job };
    });
    await Promise.allSettled([job]);
    const left = await owner`
      SELECT name, to_jsonb(t) ->> 'password_hash' AS password FROM ${owner(`directory.${what}s`)} t WHERE id = '47'`;
    expect(left).toEqual([{ name: record.name, password: what === "merchant" ? "new" : null }]);
  },
);

test("a delayed erasure job doesn't end the connections and API keys of a new shop with the same id", async () => {
  await connectedShop("48");
  await owner`UPDATE directory.shops SET erase_requested_at = now() WHERE id = '48'`;
  const { job } = await owner.begin(async (other) => {
    await other`SELECT FROM oauth.connections WHERE shop_id = '48' FOR UPDATE`;
    const job = runErasure(sql, { what: "shop", id: "48", by: "product:survey" });
    await expect.poll(() => waitingSessions(owner), { timeout: 10_000 }).toBeGreaterThan(0);
    await other`DELETE FROM oauth.connections WHERE shop_id = '48'`;
    await other`UPDATE directory.shops SET erase_requested_at = NULL WHERE id = '48'`;
    const approval = { shopId: "48", clientId, merchantId: "7", grantId: "new", scope: [] };
    await approve(other, approval, TEST_OPERATOR);
    return { job };
  });
  await job;
  const left = await owner`
    SELECT status, revoked_at FROM oauth.connections JOIN directory.api_keys USING (shop_id) WHERE shop_id = '48'`;
  expect(left).toEqual([{ status: "approved", revoked_at: null }]);
});

test("a DELETE of an unknown merchant or shop succeeds and adds no job", async () => {
  expect([await erase("merchants/none"), await erase("shops/none")]).toEqual([204, 204]);
  expect(await owner`SELECT FROM back_office_jobs.job WHERE data ->> 'id' = 'none'`).toHaveLength(
    0,
  );
});

test("if the back office is killed during an erasure, the next process completes the erasure", async () => {
  // The shortest heartbeat that pg-boss accepts, a third of ours, so the job is due again sooner.
  await owner`UPDATE back_office_jobs.queue SET heartbeat_seconds = 10`;
  await connectedShop("44");
  expect(await erase("shops/44")).toBe(204);
  await startBackOffice();
  await owner.begin(async (holder) => {
    await holder`SELECT FROM oauth.connections WHERE shop_id = '44' FOR UPDATE`;
    await expect.poll(() => waitingSessions(owner), { timeout: 30_000 }).toBeGreaterThan(0);
    backOffice?.process.kill("SIGKILL");
    await backOffice?.ended;
  });
  expect(await put("shops/44", SHOP)).toBe(409);
  await startBackOffice();
  await expect.poll(() => rowsOf("44"), { timeout: 100_000, interval: 500 }).toEqual([]);
  expect(await put("shops/44", SHOP)).toBe(201);
}, 120_000);
