import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Answer } from "../../harness/actors/http.ts";
import { type MerchantBrowser, merchantBrowser } from "../../harness/actors/merchant-browser.ts";
import { type Onboarded, onboard, onboardShop } from "../../harness/actors/onboarding.ts";
import { operator } from "../../harness/actors/operator.ts";
import { type Partner, partner } from "../../harness/actors/partner.ts";
import { type OwnStack, type StackUnderTest, startOwnStack } from "../../harness/stack/stacks.ts";

/** Seconds; the lifetimes of the spec, shortened. On a busy machine two calls may take some of them. */
const ACCESS_TOKEN = 10;
const REFRESH_TOKEN = 10;
const CODE = 10;
const REPLAY_GRACE = 1;

let own: OwnStack;
let stack: StackUnderTest;
let onboarded: Onboarded;
let app: Partner;
let browser: MerchantBrowser;

beforeAll(async () => {
  own = await startOwnStack({
    env: {
      ACCESS_TOKEN_TTL_SECONDS: String(ACCESS_TOKEN),
      REFRESH_TOKEN_TTL_SECONDS: String(REFRESH_TOKEN),
      AUTHORIZATION_CODE_TTL_SECONDS: String(CODE),
      CODE_REPLAY_GRACE_SECONDS: String(REPLAY_GRACE),
      AUTHORIZATION_SERVER_REPLICAS: "1",
      RESOURCE_SERVER_REPLICAS: "1",
    },
  });
  stack = own.now;
  onboarded = await onboard(stack);
  app = partner(stack, onboarded.client);
  browser = merchantBrowser(onboarded.merchant);
  await browser.openConsent(app.attempt().url);
});
afterAll(() => own?.stop());

const newShop = () => onboardShop(stack, onboarded.merchant);
const refusal = (answer: Answer) => [answer.status, answer.json().error, answer.json().error_description];
const EXPIRED = [400, "invalid_grant", "refresh token expired"];
const REVOKED = [400, "invalid_grant", "grant revoked"];
const past = (seconds: number) => sleep(seconds * 1000 + 300);

describe.concurrent("lifetimes", () => {
  test("expires_in is the access token's lifetime; from then on it is 401 unauthorized", async () => {
    const answer = await app.exchange(await app.obtainCode(browser, await newShop()));
    const { access_token, expires_in } = answer.json();
    expect(expires_in).toBe(ACCESS_TOKEN);
    expect((await app.call("/api/responses", access_token)).status).toBe(200);
    await past(ACCESS_TOKEN);
    const late = await app.call("/api/responses", access_token);
    expect([late.status, late.json()]).toEqual([401, { error: "unauthorized" }]);
  });

  test("a refresh token lives at least until the connection's expires_at, which a refresh puts off", async () => {
    const { accessToken, refreshToken } = await app.connect(browser, await newShop());
    const expiry = async (token: string) => Date.parse((await app.call("/api/connection", token)).json().expires_at);
    const first = await expiry(accessToken);
    await sleep(first - Date.now() - 4000);
    const answer = await app.refresh(refreshToken);
    expect(answer.status).toBe(200);
    const second = await expiry(answer.json().access_token);
    expect(second - first).toBeGreaterThan(1000);
    expect(second).toBeLessThanOrEqual(Date.now() + REFRESH_TOKEN * 1000);
  });

  test("a code expires", async () => {
    const obtained = await app.obtainCode(browser, await newShop());
    await past(CODE);
    const answer = await app.exchange(obtained);
    expect([answer.status, answer.json().error]).toEqual([400, "invalid_grant"]);
  });

  test("a refresh token that is not used for its lifetime is 'refresh token expired', again and again", async () => {
    const shop = await newShop();
    const { refreshToken } = await app.connect(browser, shop);
    await past(REFRESH_TOKEN);
    expect(refusal(await app.refresh(refreshToken))).toEqual(EXPIRED);
    expect(refusal(await app.refresh(refreshToken))).toEqual(EXPIRED);
    const [connection] = await operator(stack, ["connection", "list", "--shop", shop.id]);
    expect(connection.status).toBe("expired");
  });

  test("each refresh extends its life, and that of all that the next one needs", async () => {
    const { refreshToken } = await app.connect(browser, await newShop());
    for (let use = 0; use < 2; use++) {
      await sleep(REFRESH_TOKEN * 600);
      const answer = await app.refresh(refreshToken);
      expect(answer.status).toBe(200);
      expect((await app.call("/api/responses", answer.json().access_token)).status).toBe(200);
    }
  });

  test("an expired connection is connected again by the flow, with new tokens; the old ones stay dead", async () => {
    const shop = await newShop();
    const before = await app.connect(browser, shop);
    await past(REFRESH_TOKEN);
    expect(refusal(await app.refresh(before.refreshToken))).toEqual(EXPIRED);
    const after = await app.connect(browser, shop);
    expect((await app.refresh(after.refreshToken)).status).toBe(200);
    expect((await app.refresh(before.refreshToken)).json().error).toBe("invalid_grant");
  });

  test("revoked and expired at once is 'grant revoked'", async () => {
    const shop = await newShop();
    const { refreshToken } = await app.connect(browser, shop);
    const [{ id }] = await operator(stack, ["connection", "list", "--shop", shop.id]);
    await operator(stack, ["connection", "revoke", id]);
    await past(REFRESH_TOKEN);
    expect(refusal(await app.refresh(refreshToken))).toEqual(REVOKED);
  });

  test("a valid replay of a code long after its exchange revokes the connection", async () => {
    const obtained = await app.obtainCode(browser, await newShop());
    const { refresh_token } = (await app.exchange(obtained)).json();
    await sleep(REPLAY_GRACE * 1000 + 300);
    const { access_token } = (await app.refresh(refresh_token)).json();
    const answer = await app.exchange(obtained);
    expect([answer.status, answer.json().error]).toEqual([400, "invalid_grant"]);
    expect(refusal(await app.refresh(refresh_token))).toEqual(REVOKED);
    expect((await app.call("/api/responses", access_token)).status).toBe(403);
  });

  test("a replay with another verifier, redirect_uri or client harms nobody, however late", async () => {
    const obtained = await app.obtainCode(browser, await newShop());
    const { refresh_token } = (await app.exchange(obtained)).json();
    await sleep(REPLAY_GRACE * 1000 + 300);
    for (const overrides of [{ code_verifier: "a".repeat(43) }, { redirect_uri: "https://partner.example/" }]) {
      expect((await app.exchange(obtained, overrides)).json().error).toBe("invalid_grant");
    }
    expect((await app.refresh(refresh_token)).status).toBe(200);
  });
});
