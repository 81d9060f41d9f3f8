import { afterAll, beforeAll, expect, test } from "vitest";
import { type Answer, type Sending, send, sendForm } from "../../harness/actors/http.ts";
import { merchantBrowser } from "../../harness/actors/merchant-browser.ts";
import { type Onboarded, onboard } from "../../harness/actors/onboarding.ts";
import { basic, type Partner, partner } from "../../harness/actors/partner.ts";
import { type OwnStack, type StackUnderTest, startOwnStack } from "../../harness/stack/stacks.ts";

/** The spec's. */
const LIMITS = { AUTHORIZE_RATE_LIMIT: "30", TOKEN_RATE_LIMIT: "10" };

let own: OwnStack;
let stack: StackUnderTest;
let onboarded: Onboarded;
let app: Partner;
let code: Awaited<ReturnType<Partner["obtainCode"]>>;

beforeAll(async () => {
  own = await startOwnStack({ env: LIMITS });
  stack = own.now;
  onboarded = await onboard(stack);
  app = partner(stack, onboarded.client);
  const browser = merchantBrowser(onboarded.merchant);
  code = await app.obtainCode(browser, onboarded.shop);
});
afterAll(() => own?.stop());

/** What a client may say about who it is, to be believed by nobody. */
const CLAIMS = ["x-forwarded-for", "forwarded", "x-real-ip", "x-client-ip", "true-client-ip", "cf-connecting-ip"];
let claimed = 0;
function spoofed(): Record<string, string> {
  claimed += 1;
  return Object.fromEntries(
    CLAIMS.map((name) => [name, `${name === "forwarded" ? "for=" : ""}198.51.100.${claimed % 250}`]),
  );
}

function expectCounted({ headers }: Answer, limit: number, used: number): void {
  expect([headers["x-ratelimit-limit"], headers["x-ratelimit-remaining"]]).toEqual([`${limit}`, `${limit - used}`]);
  expect(headers["x-ratelimit-reset"]).toMatch(/^\d+$/);
  expect(Number(headers["x-ratelimit-reset"])).toBeLessThanOrEqual(60);
}

function expectRefused({ status, headers }: Answer, limit: number): void {
  expect(status).toBe(429);
  expect([headers["x-ratelimit-limit"], headers["x-ratelimit-remaining"]]).toEqual([`${limit}`, "0"]);
  expect(Number(headers["retry-after"])).toBeGreaterThan(0);
  expect(Number(headers["retry-after"])).toBeLessThanOrEqual(60);
}

test("authorize takes 30 requests a minute from an address, whatever the client claims, and no spelling leads around it", async () => {
  const from = "127.0.0.11";
  const get = (url: string, more: Sending = {}) => send(url, { headers: spoofed(), from, ...more });
  const urls = [
    app.attempt().url,
    app.attempt({ scope: "unknown" }).url,
    app.attempt({ overrides: { state: null } }).url,
    app.attempt({ at: stack.auth_url }).url,
    `${stack.base_url}/oauth/api/authorize`,
  ];
  const statuses = [];
  for (let used = 1; used <= 30; used++) {
    const isOther = used % 6 === 0;
    const answer = await get(urls[used % 5] ?? "", isOther ? { method: used % 12 === 0 ? "HEAD" : "POST" } : {});
    expectCounted(answer, 30, used);
    statuses.push(answer.status);
  }
  expect(new Set(statuses)).toEqual(new Set([302, 400, 405]));

  const answer = await get(app.attempt().url, { headers: { ...spoofed(), accept: "text/html" } });
  expectRefused(answer, 30);
  expect(answer.headers["content-type"]).toMatch(/^text\/html/);
  expect(answer.headers.location).toBeUndefined();

  const { search } = new URL(app.attempt().url);
  const paths = ["/oauth/api/%61uthorize", "/oauth/api/authorize/", "/oauth//api/authorize", "//oauth/api/authorize"];
  const others = [
    "/OAUTH/api/authorize",
    "/oauth/api/authorize;x=y",
    "/oauth/api/./authorize",
    "/oauth/x/../api/authorize",
  ];
  for (const path of [...paths, ...others]) {
    for (const base of [stack.base_url, stack.auth_url]) {
      const { status } = await get(`${base}${path}${search}`);
      expect([path, [400, 404, 429].includes(status)]).toEqual([path, true]);
    }
  }
});

test("the token endpoint takes 10 requests a minute from an address; a code that met the limit still works", async () => {
  const authorization = basic(onboarded.client);
  const exchanging = {
    ...{ grant_type: "authorization_code", code: code.code },
    ...{ redirect_uri: code.redirectUri, code_verifier: code.codeVerifier },
  };
  const post = (fields: Record<string, string>, headers: Record<string, string>, from: string) =>
    sendForm(`${stack.base_url}/oauth/api/token`, fields, { ...headers, ...spoofed() }, from);
  const wrong = [{}, { authorization: "Basic x" }, { authorization }];
  for (let used = 1; used <= 10; used++) expectCounted(await post({}, wrong[used % 3] ?? {}, "127.0.0.21"), 10, used);
  const refused = await post(exchanging, { authorization }, "127.0.0.21");
  expectRefused(refused, 10);
  expect(refused.headers["content-type"]).toMatch(/^application\/json/);
  const exchanged = await post(exchanging, { authorization }, "127.0.0.22");
  expect(exchanged.status).toBe(200);
  expectCounted(exchanged, 10, 1);
});
