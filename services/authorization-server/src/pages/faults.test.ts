import { waitingSessions } from "@partner-connect/database/testing";
import { doorTo, ownRedis } from "@partner-connect/service-runtime/testing";
import { afterAll, expect, test } from "vitest";
import { atCommit } from "../testing/at-commit.ts";
import { expectUnavailable } from "../testing/merchant-browser.ts";
import { offered, suiteFixture } from "../testing/merchant-fixture.ts";
import { exchangeCode, refreshTokens, type TokenAnswer } from "../testing/token-calls.ts";

const store = await ownRedis();
afterAll(() => store.stop());
const redis = await doorTo(store.url);
const fixture = await suiteFixture({ redisUrl: redis.url });
const { sql } = fixture.replicas;
const ada = await fixture.registerMerchant();
const fern = await fixture.registerShop("Fern & Field", "standard", ada);

/** Runs `work` while no service can read the merchants or the connections. */
async function withPostgresStuck(work: () => Promise<void>): Promise<void> {
  await sql.begin(async (transaction) => {
    await transaction`LOCK TABLE directory.merchants, oauth.connections IN ACCESS EXCLUSIVE MODE`;
    await work();
  });
}

test("while Postgres doesn't respond, a sign-in gets 503 and isn't counted as a guess", async () => {
  const browser = fixture.browser();
  const page = await browser.open("/oauth/sign-in");
  await withPostgresStuck(async () => {
    const attempts = Array.from({ length: 6 }, () => fixture.signIn(browser, page, ada));
    (await Promise.all(attempts)).forEach(expectUnavailable);
  });
  expect((await fixture.signIn(browser, page, ada)).status).toBe(303);
});

test("an exchange whose tokens Redis can't store still returns valid tokens", async () => {
  const { replicas } = fixture;
  const app = replicas.app();
  const client = await replicas.registerClient();
  const issued = await replicas.approveAndIssueCode({
    ...client,
    shopId: fern,
    merchantId: ada.id,
  });
  const mend = await atCommit(replicas.sql, "PERFORM pg_advisory_xact_lock(1)");
  let answer: Promise<TokenAnswer> | undefined;
  await replicas.sql.begin(async (tx) => {
    await tx`SELECT pg_advisory_xact_lock(1)`;
    answer = exchangeCode(app, client, issued);
    await expect.poll(() => waitingSessions(replicas.sql)).toBeGreaterThan(0);
    redis.freeze("all");
  });
  const { status, body } = (await answer) ?? expect.fail("it was not sent");
  redis.thaw();
  await mend();
  expect(status).toBe(200);
  await expect
    .poll(async () => (await refreshTokens(app, client, body.refresh_token)).status)
    .toBe(200);
});

test("while Redis is down, every page gets 503 and keeps the merchant's session cookie", async () => {
  const browser = fixture.browser();
  const { path, page } = await fixture.consent(browser, ada);
  redis.close();
  expectUnavailable(await browser.open(path));
  expectUnavailable(await browser.open("/oauth/connections"));
  expectUnavailable(await browser.open("/oauth/password"));
  expectUnavailable(await browser.press(page, "Approve", { shop: offered(page, "Fern & Field") }));
  const stranger = fixture.browser();
  expectUnavailable(await fixture.signIn(stranger, await stranger.open("/oauth/sign-in"), ada));
  expect(browser.cookies.has("__Host-merchant_session")).toBe(true);
});
