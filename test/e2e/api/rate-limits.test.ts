import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Answer, type Sending, send, sendForm } from "../../harness/actors/http.ts";
import { merchantBrowser } from "../../harness/actors/merchant-browser.ts";
import { type Onboarded, onboard } from "../../harness/actors/onboarding.ts";
import { basic, type Partner, partner, type Tokens } from "../../harness/actors/partner.ts";
import { type OwnStack, type StackUnderTest, startOwnStack } from "../../harness/stack/stacks.ts";

/** The spec's, and the design's for the API. */
const LIMITS = { AUTHORIZE_RATE_LIMIT: "30", TOKEN_RATE_LIMIT: "10", API_RATE_LIMIT: "600" };

let own: OwnStack;
let stack: StackUnderTest;
let onboarded: Onboarded;
let app: Partner;
let connections: Tokens[];
let code: Awaited<ReturnType<Partner["obtainCode"]>>;

beforeAll(async () => {
  own = await startOwnStack({ env: LIMITS });
  stack = own.now;
  onboarded = await onboard(stack);
  app = partner(stack, onboarded.client);
  const browser = merchantBrowser(onboarded.merchant);
  connections = [await app.connect(browser, onboarded.shop), await app.connect(browser, onboarded.advancedShop)];
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

describe("authorize", () => {
  const from = "127.0.0.11";
  const get = (url: string, more: Sending = {}) => send(url, { headers: spoofed(), from, ...more });

  test("takes 30 requests a minute from an address, whatever they are and whatever the client claims", async () => {
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
  });

  test("refuses the next one with 429, retry-after and a page for the merchant", async () => {
    const answer = await get(app.attempt().url, { headers: { ...spoofed(), accept: "text/html" } });
    expectRefused(answer, 30);
    expect(answer.headers["content-type"]).toMatch(/^text\/html/);
    expect(answer.headers.location).toBeUndefined();
  });

  test("no spelling of the path and no host leads around it", async () => {
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

  test("another address has its own 30, and the token endpoint its own count", async () => {
    const other = await send(app.attempt().url, { from: "127.0.0.12" });
    expect(other.status).toBe(302);
    expectCounted(other, 30, 1);
    const token = await send(`${stack.base_url}/oauth/api/token`, { method: "POST", from });
    expect(token.status).toBe(401);
    expectCounted(token, 10, 1);
  });
});

describe("token", () => {
  const from = "127.0.0.21";
  const endpoint = () => `${stack.base_url}/oauth/api/token`;
  const refreshing = () => ({ grant_type: "refresh_token", refresh_token: connections[0]?.refreshToken ?? "" });
  const exchanging = () => ({
    ...{ grant_type: "authorization_code", code: code.code },
    ...{ redirect_uri: code.redirectUri, code_verifier: code.codeVerifier },
  });
  const post = (fields: Record<string, string>, headers: Record<string, string>, address = from) =>
    sendForm(endpoint(), fields, { ...headers, ...spoofed() }, address);

  test("takes 10 requests a minute from an address, right or wrong, over all replicas", async () => {
    const authorization = basic(onboarded.client);
    const wrong = [{}, { authorization: "Basic x" }, { authorization }];
    const statuses = [];
    for (let used = 1; used <= 10; used++) {
      const answer = await post(used % 2 ? refreshing() : {}, wrong[used % 3] ?? {});
      expectCounted(answer, 10, used);
      statuses.push(answer.status);
    }
    expect(new Set(statuses)).toEqual(new Set([401, 400]));
  });

  test("refuses the next one with 429 and retry-after in JSON, for every client and method", async () => {
    const authorization = basic(onboarded.client);
    const answer = await post(refreshing(), { authorization });
    expectRefused(answer, 10);
    expect(answer.headers["content-type"]).toMatch(/^application\/json/);
    expectRefused(await send(endpoint(), { from, headers: { authorization } }), 10);
    expectRefused(await post(refreshing(), { authorization: basic({ ...onboarded.client, clientId: "other" }) }), 10);
  });

  test("a code that met the limit still works, and a refresh token too", async () => {
    const authorization = basic(onboarded.client);
    expectRefused(await post(exchanging(), { authorization }), 10);
    const exchanged = await post(exchanging(), { authorization }, "127.0.0.22");
    expect(exchanged.status).toBe(200);
    expectCounted(exchanged, 10, 1);
    const { refresh_token } = exchanged.json();
    const refreshed = await post({ grant_type: "refresh_token", refresh_token }, { authorization }, "127.0.0.22");
    expect(refreshed.status).toBe(200);
    expectCounted(refreshed, 10, 2);
  });
});

describe("the API", () => {
  test("takes 600 requests a minute from a connection, over all replicas and addresses, then 429 with retry-after", async () => {
    const authorization = `Bearer ${connections[1]?.accessToken}`;
    const call = (path: string, from: string) =>
      send(`${stack.base_url}${path}`, { headers: { authorization, ...spoofed() }, from });
    expectCounted(await call("/api/responses?limit=1", "127.0.0.31"), 600, 1);
    expectCounted(await call("/api/questions", "127.0.0.32"), 600, 2);
    expectCounted(await call("/api/responses?limit=nonsense", "127.0.0.31"), 600, 3);
    for (let used = 3; used < 600; used += 199) {
      const calls = Array.from({ length: 199 }, () => call("/api/responses?limit=1", "127.0.0.31"));
      for (const { status } of await Promise.all(calls)) expect(status).toBe(200);
    }
    expectRefused(await call("/api/responses", "127.0.0.33"), 600);
    expectRefused(await call("/api/questions", "127.0.0.31"), 600);
  });

  test("every connection has its own count", async () => {
    const answer = await app.call("/api/responses", connections[0]?.accessToken ?? "");
    expect([answer.status, answer.headers["x-ratelimit-limit"]]).toEqual([200, "600"]);
  });
});
