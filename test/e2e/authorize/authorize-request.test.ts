import { beforeAll, describe, expect, test } from "vitest";
import { send } from "../../harness/actors/http.ts";
import { type MerchantBrowser, merchantBrowser } from "../../harness/actors/merchant-browser.ts";
import { type Onboarded, onboard } from "../../harness/actors/onboarding.ts";
import { runOperator } from "../../harness/actors/operator.ts";
import { type Partner, partner } from "../../harness/actors/partner.ts";
import { mainStack } from "../../harness/stack/stacks.ts";

/** Registered as they stand; the redirect must begin with the same bytes. */
const UNUSUAL = [
  "https://Partner.Example:443/Callback",
  "https://partner.example",
  "https://partner.example/a%7Eb/(c)?tenant=1&x=%2F",
];
const LOOPBACK = ["http://localhost/callback", "http://127.0.0.1:7777/callback"];

const stack = mainStack();
let onboarded: Onboarded;
let app: Partner;
let browser: MerchantBrowser;

beforeAll(async () => {
  onboarded = await onboard(stack, { redirectUris: [...UNUSUAL, ...LOOPBACK] });
  app = partner(stack, onboarded.client);
  browser = merchantBrowser(onboarded.merchant);
});

describe("redirect_uri", () => {
  test.each(UNUSUAL)("redirects begin with the registered bytes: %s", async (redirectUri) => {
    const separator = redirectUri.includes("?") ? "&" : "?";
    const approved = await browser.approve(app.attempt({ redirectUri }).url, onboarded.shop);
    expect(approved.startsWith(`${redirectUri}${separator}code=`)).toBe(true);
    const declined = await browser.decline(app.attempt({ redirectUri }).url);
    expect(declined.startsWith(`${redirectUri}${separator}error=access_denied`)).toBe(true);
    const { headers } = await send(app.attempt({ redirectUri, scope: "unknown" }).url);
    expect(headers.location?.startsWith(`${redirectUri}${separator}error=invalid_request`)).toBe(true);
  });

  test.each([
    "http://localhost:51234/callback",
    "http://localhost:1/callback",
    "http://localhost/callback",
    "http://127.0.0.1/callback",
    "http://127.0.0.1:65535/callback",
  ])("a loopback URI may come with any port, and is redirected to with it: %s", async (redirectUri) => {
    const obtained = await app.obtainCode(browser, onboarded.shop, { redirectUri });
    const answer = await app.exchange(obtained);
    expect(answer.status).toBe(200);
  });

  test("at the token endpoint the loopback port must be the one of the authorization", async () => {
    const obtained = await app.obtainCode(browser, onboarded.shop, { redirectUri: "http://localhost:3000/callback" });
    for (const redirect_uri of ["http://localhost:3001/callback", "http://localhost/callback"]) {
      const answer = await app.exchange(obtained, { redirect_uri });
      expect([answer.status, answer.json().error]).toEqual([400, "invalid_grant"]);
    }
    expect((await app.exchange(obtained)).status).toBe(200);
  });

  test.each([
    "https://localhost:3000/callback",
    "http://localhost:3000/other",
    "http://localhost:3000",
    "http://localhost.evil.example:3000/callback",
    "http://localhost:3000@evil.example/callback",
    "http://127.0.0.2/callback",
    "http://[::1]/callback",
    "http://LOCALHOST/callback",
    "http://localhost:99999/callback",
    "http://localhost:/callback",
    "http://2130706433/callback",
  ])("only the port is free on loopback: %s", async (redirectUri) => {
    const { status, headers } = await send(app.attempt({ redirectUri }).url);
    expect([status, headers.location]).toEqual([400, undefined]);
  });

  test.each([
    ["http on another host", "http://partner.example/callback"],
    ["a fragment", "https://partner.example/callback#part"],
    ["a user name", "https://ada@partner.example/callback"],
    ["another scheme", "com.partner.app://callback"],
    ["no scheme", "partner.example/callback"],
  ])("onboarding refuses %s with one line and exit 1", async (_, uri) => {
    const args = ["client", "create", "--name", "App", "--scope", "responses:read", "--redirect-uri", uri];
    const { exitCode, stdout, stderr } = await runOperator(stack, args);
    expect([exitCode, stdout]).toEqual([1, ""]);
    expect(stderr.trimEnd().split("\n")).toHaveLength(1);
  });
});

describe("the request", () => {
  test("parameters beyond the seven change nothing", async () => {
    const extra = {
      ...{ prompt: "none", response_mode: "fragment", nonce: "n", max_age: "0", login_hint: "x", display: "popup" },
      ...{
        request: "eyJhbGciOiJub25lIn0..",
        request_uri: "https://evil.example/request",
        claims: "{",
        id_token_hint: "x",
      },
      ...{ resource: "https://evil.example", audience: "x", dpop_jkt: "x", shop: onboarded.advancedShop.id },
    };
    const { url, state } = app.attempt({ redirectUri: "https://partner.example", overrides: extra });
    const arrived = await browser.approve(url, onboarded.shop);
    expect(arrived).toMatch(/^https:\/\/partner\.example\?code=[\w-]+&state=/);
    expect([...new URL(arrived).searchParams.keys()].sort()).toEqual(["code", "iss", "state"]);
    expect(new URL(arrived).searchParams.get("state")).toBe(state);
  });

  test.each(["HEAD", "POST", "PUT", "DELETE", "OPTIONS"])("%s starts nothing", async (method) => {
    const { url } = app.attempt({ redirectUri: "https://partner.example" });
    const { status, headers } = await send(url, { method });
    expect([status, headers.allow, headers.location]).toEqual([405, "GET", undefined]);
    expect(headers["set-cookie"]).toBeUndefined();
  });

  test("a request that is posted as a form starts nothing", async () => {
    const { url } = app.attempt({ redirectUri: "https://partner.example" });
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    const body = new URL(url).search.slice(1);
    const answer = await send(url.split("?")[0] ?? "", { method: "POST", headers, body });
    expect([answer.status, answer.headers.location]).toEqual([405, undefined]);
  });

  test.each(["auth_url", "base_url"] as const)(
    "a flow that begins at %s stays there, and iss is the base URL",
    async (host) => {
      const fresh = merchantBrowser(onboarded.merchant);
      const options = { at: stack[host], redirectUri: "https://partner.example" };
      const consent = await fresh.openConsent(app.attempt(options).url);
      expect(consent.url.startsWith(`${stack[host]}/oauth/authorization?request=`)).toBe(true);
      const { url } = await fresh.press(consent, "Approve", { [onboarded.shop.name]: true });
      expect(new URL(url).searchParams.get("iss")).toBe(stack.base_url);
      expect(new URL(url).searchParams.has("code")).toBe(true);
    },
  );

  test("nothing of an answer may be cached", async () => {
    const attempts = [app.attempt(), app.attempt({ scope: "unknown" }), app.attempt({ overrides: { state: null } })];
    for (const { url } of attempts) expect((await send(url)).headers["cache-control"]).toBe("no-store");
  });
});

describe("the merchant", () => {
  test("signs in when no session is open, and with a wrong password gets no further", async () => {
    const stranger = merchantBrowser({ ...onboarded.merchant, password: "wrong" });
    const page = await stranger.openConsent(app.attempt({ redirectUri: "https://partner.example" }).url);
    expect(page.answer?.status).toBe(422);
    expect(page.forms.flatMap(({ buttons }) => buttons).map(({ text }) => text)).not.toContain("Approve");
  });

  test("chooses among the shops that are hers, and only those", async () => {
    const other = await onboard(stack);
    const page = await browser.openConsent(app.attempt({ redirectUri: "https://partner.example" }).url);
    const shops = page.forms.flatMap(({ inputs }) => inputs).filter(({ type }) => type === "radio");
    expect(shops.map(({ label }) => label).sort()).toEqual([onboarded.shop.name, onboarded.advancedShop.name].sort());
    expect(page.text).not.toContain(other.shop.name);
  });

  test("can't approve for somebody else's shop by changing the form", async () => {
    const other = await onboard(stack);
    const page = await browser.openConsent(app.attempt({ redirectUri: "https://partner.example" }).url);
    const forms = page.forms.map((form) => ({
      ...form,
      inputs: form.inputs.map((input) => ({ ...input, value: input.value.replace(onboarded.shop.id, other.shop.id) })),
    }));
    const answer = await browser.press({ ...page, forms }, "Approve", { [onboarded.shop.name]: true });
    expect(answer.answer?.status).toBe(422);
  });

  test("must choose a shop", async () => {
    const page = await browser.openConsent(app.attempt({ redirectUri: "https://partner.example" }).url);
    const answer = await browser.press(page, "Approve");
    expect(answer.answer?.status).toBe(422);
  });
});
