import { afterAll, beforeAll, expect, test } from "vitest";
import { send } from "../harness/actors/http.ts";
import { type MerchantBrowser, merchantBrowser } from "../harness/actors/merchant-browser.ts";
import { type Onboarded, onboard, onboardShop } from "../harness/actors/onboarding.ts";
import { operator } from "../harness/actors/operator.ts";
import { type Partner, partner, type Tokens } from "../harness/actors/partner.ts";
import { type BreakableRedis, breakableRedis } from "../harness/faults/breakable-redis.ts";
import { keepAsking, until } from "../harness/stack/processes.ts";
import { type OwnStack, startOwnStack } from "../harness/stack/stacks.ts";

let redis: BreakableRedis;
let stack: OwnStack;
let onboarded: Onboarded;
let app: Partner;
let browser: MerchantBrowser;
let tokens: Tokens;

beforeAll(async () => {
  redis = await breakableRedis();
  stack = await startOwnStack({ env: { REDIS_URL: redis.url } });
  onboarded = await onboard(stack.now);
  app = partner(stack.now, onboarded.client);
  browser = merchantBrowser(onboarded.merchant);
  tokens = await app.connect(browser, onboarded.shop);
});
afterAll(async () => {
  await stack?.stop();
  await redis?.remove();
});

const read = () => app.call("/api/responses", tokens.accessToken);
const readKeys = () => send(`${stack.now.base_url}/oauth/api/jwks`);
const readMetadata = () => send(`${stack.now.base_url}/.well-known/oauth-authorization-server`);
const refresh = () => app.refresh(tokens.refreshToken);
const authorize = () => send(app.attempt().url, { headers: { accept: "text/html" } });

/** Waits until the services have reconnected to Redis. */
const recovered = () =>
  until(async () => {
    const answers = await Promise.all([
      refresh(),
      refresh(),
      refresh(),
      refresh(),
      authorize(),
      authorize(),
    ]);
    return answers.every(({ status }) => status < 500);
  });

/** While Redis hangs, only a time limit of ours ends a call. */
async function expectUnavailable(): Promise<void> {
  for (const [ask, contentType] of [
    [refresh, /^application\/json/],
    [authorize, /^text\/html/],
  ] as const) {
    const { status, headers } = await ask();
    expect(status).toBe(503);
    expect(headers["retry-after"]).toMatch(/^[1-9]\d*$/);
    expect(headers["content-type"]).toMatch(contentType);
  }
}

test("if Redis is killed right after exchanges, no token, unused code or revocation is lost, and no used code works again", async () => {
  const shops = await Promise.all(
    Array.from({ length: 6 }, () => onboardShop(stack.now, onboarded.merchant)),
  );
  const codes = [];
  for (const shop of shops) codes.push(await app.obtainCode(browser, shop));
  const revoked = await app.connect(browser, onboarded.advancedShop);
  const ofShop = ["connection list --shop", onboarded.advancedShop.id];
  const [connection] = await operator(stack.now, ofShop);
  await operator(stack.now, ["connection", "revoke", connection.id]);

  const unused = codes.pop() ?? expect.fail();
  const answers = await Promise.all(codes.map((obtained) => app.exchange(obtained)));
  await redis.kill();
  expect(answers.map(({ status }) => status)).toEqual(codes.map(() => 200));
  await recovered();

  for (const [index, answer] of answers.entries()) {
    expect((await app.refresh(answer.json().refresh_token)).status).toBe(200);
    const obtained = codes[index];
    if (obtained) expect((await app.exchange(obtained)).json().error).toBe("invalid_grant");
    expect((await app.refresh(answer.json().refresh_token)).status).toBe(200);
  }
  expect((await app.exchange(unused)).status).toBe(200);
  expect((await app.refresh(revoked.refreshToken)).json().error_description).toBe("grant revoked");
  expect((await app.call("/api/responses", revoked.accessToken)).status).toBe(403);
});

test.each([
  ["refuses connections", () => redis.stop(), () => redis.start()],
  ["hangs", () => redis.pause(), () => redis.resume()],
])(
  "while Redis %s, API reads, JWKS and metadata work, and authorizations and refreshes get 503 with retry-after",
  async (_, begin, end) => {
    const loads = [read, read, readKeys, readMetadata].map((ask) => keepAsking(ask, 1));
    await begin();
    await expectUnavailable();
    await end();
    await recovered();
    for (const load of loads) expect(await load.stop()).toEqual({ 200: expect.any(Number) });
  },
);

test("while Redis is full, API reads work, and authorizations and token calls get 503 without using up a code", async () => {
  const obtained = await app.obtainCode(browser, await onboardShop(stack.now, onboarded.merchant));
  await redis.command("CONFIG", "SET", "maxmemory", "1");
  expect((await read()).status).toBe(200);
  await expectUnavailable();
  const exchanged = await app.exchange(obtained);
  await redis.command("CONFIG", "SET", "maxmemory", "0");
  await recovered();
  expect(exchanged.status).toBe(503);
  expect((await app.exchange(obtained)).status).toBe(200);
});
