import { beforeAll, describe, expect, test } from "vitest";
import { send } from "../../harness/actors/http.ts";
import { type MerchantBrowser, merchantBrowser } from "../../harness/actors/merchant-browser.ts";
import { type Onboarded, onboard, onboardClient, REDIRECT_URI } from "../../harness/actors/onboarding.ts";
import { operator } from "../../harness/actors/operator.ts";
import { type Partner, partner } from "../../harness/actors/partner.ts";
import { expectWithin } from "../../harness/actors/within.ts";
import { mainStack } from "../../harness/stack/stacks.ts";

const stack = mainStack();
let onboarded: Onboarded;
let app: Partner;
let readOnly: Partner;
let browser: MerchantBrowser;

beforeAll(async () => {
  const [all, limited] = await Promise.all([onboard(stack), onboardClient(stack, { scope: "responses:read" })]);
  onboarded = all;
  app = partner(stack, onboarded.client);
  readOnly = partner(stack, limited);
  browser = merchantBrowser(onboarded.merchant);
});

function query(location: string): Record<string, string> {
  return Object.fromEntries(new URL(location).searchParams);
}

describe("a merchant's decision", () => {
  test("approval is a 302 to redirect_uri with code, state and iss, and nothing else", async () => {
    const { url, state } = app.attempt();
    const page = await browser.press(await browser.openConsent(url), "Approve", { [onboarded.shop.name]: true });
    expect(page.redirects.at(-1)).toBe(302);
    expect(page.url.startsWith(`${REDIRECT_URI}?`)).toBe(true);
    expect(query(page.url)).toEqual({ code: expect.stringMatching(/^[\w-]{43,}$/), state, iss: stack.base_url });
  });

  test("declining is a 302 to redirect_uri with access_denied, state and iss, and no code", async () => {
    const { url, state } = app.attempt();
    const page = await browser.press(await browser.openConsent(url), "Decline");
    expect(page.redirects.at(-1)).toBe(302);
    expect(page.url.startsWith(`${REDIRECT_URI}?`)).toBe(true);
    const { error_description: _, ...answer } = query(page.url);
    expect(answer).toEqual({ error: "access_denied", state, iss: stack.base_url });
  });

  test("it can be declined without signing in", async () => {
    const { url, state } = app.attempt();
    const stranger = merchantBrowser(onboarded.merchant);
    const signIn = await stranger.open(url);
    const decline = await stranger.open(signIn.url.replace("?", "/decline?"));
    const { url: arrived } = await stranger.press(decline, "Decline");
    expect(query(arrived)).toMatchObject({ error: "access_denied", state });
  });

  test("consent is asked every time, also of a merchant who is signed in and has approved the same before", async () => {
    await app.connect(browser, onboarded.shop);
    const page = await browser.open(app.attempt().url);
    expect(page.answer?.status).toBe(200);
    expect(page.forms.flatMap(({ buttons }) => buttons).map(({ text }) => text)).toContain("Approve");
  });

  test("the first decision counts: the same one again leads to the same code, another one has ended", async () => {
    const page = await browser.openConsent(app.attempt().url);
    const approve = (shop: { name: string }) => browser.press(page, "Approve", { [shop.name]: true });
    const first = await approve(onboarded.shop);
    expect(query(first.url)).toHaveProperty("code");
    expect((await approve(onboarded.shop)).url).toBe(first.url);
    const others = [
      await approve(onboarded.advancedShop),
      await browser.press(page, "Decline"),
      await browser.open(page.url),
    ];
    for (const { answer, redirects, text } of others) {
      expect([answer?.status, redirects]).toEqual([404, []]);
      expect(text).toContain("This request has ended");
    }
  });

  test.each([
    ["spaces, separators and other alphabets", 'a b+c&d=e%20%2B#/?"<ü€😀'],
    ["the longest there may be", "€".repeat(682)],
  ])("state comes back as it was given: %s", async (_, state) => {
    const { url } = app.attempt({ overrides: { state } });
    expect(query(await browser.decline(url))["state"]).toBe(state);
    const invalid = app.attempt({ overrides: { state, scope: "nothing" } });
    expect(query((await browser.open(invalid.url)).url)["state"]).toBe(state);
  });
});

describe("an invalid scope, response_type or PKCE parameter is a 302 to redirect_uri with invalid_request and state", () => {
  test.each<[string, string, string | null]>([
    ["response_type", "missing", null],
    ["response_type", "empty", ""],
    ["response_type", "token", "token"],
    ["response_type", "id_token", "id_token"],
    ["response_type", "none", "none"],
    ["response_type", "in capitals", "CODE"],
    ["response_type", "with a second one", "code token"],
    ["response_type", "with a space after it", "code "],
    ["scope", "missing", null],
    ["scope", "empty", ""],
    ["scope", "only spaces", "  "],
    ["scope", "unknown", "responses:write"],
    ["scope", "unknown beside a known one", "responses:read customers:read"],
    ["scope", "in capitals", "RESPONSES:READ"],
    ["scope", "parted by a comma", "responses:read,sources:write"],
    ["scope", "openid", "openid responses:read"],
    ["scope", "offline_access", "responses:read offline_access"],
    ["scope", "a name that every object has", "constructor"],
    ["code_challenge", "missing", null],
    ["code_challenge", "empty", ""],
    ["code_challenge", "one character short", "a".repeat(42)],
    ["code_challenge", "one character long", "a".repeat(44)],
    ["code_challenge", "padded", `${"a".repeat(42)}=`],
    ["code_challenge", "in plain base64", `${"a".repeat(42)}+`],
    ["code_challenge_method", "missing", null],
    ["code_challenge_method", "empty", ""],
    ["code_challenge_method", "plain", "plain"],
    ["code_challenge_method", "in small letters", "s256"],
    ["code_challenge_method", "another hash", "S512"],
  ])("%s %s", async (name, _, value) => {
    const { url, state } = app.attempt({ overrides: { [name]: value } });
    const { status, headers } = await send(url);
    expect(status).toBe(302);
    expect(headers.location?.startsWith(`${REDIRECT_URI}?`)).toBe(true);
    expect(headers.location).not.toContain("code=");
    expect(query(headers.location ?? "")).toMatchObject({ error: "invalid_request", state, iss: stack.base_url });
  });

  test.each(["response_type", "scope", "code_challenge", "code_challenge_method"])("%s twice", async (name) => {
    const { url, state } = app.attempt();
    const value = new URL(url).searchParams.get(name) ?? "";
    const { status, headers } = await send(`${url}&${name}=${encodeURIComponent(value)}`);
    expect(status).toBe(302);
    expect(query(headers.location ?? "")).toMatchObject({ error: "invalid_request", state });
  });

  test("a scope that is not enabled for the client", async () => {
    const { url, state } = readOnly.attempt({ scope: "responses:read sources:write" });
    const { status, headers } = await send(url);
    expect(status).toBe(302);
    expect(query(headers.location ?? "")).toMatchObject({ error: "invalid_request", state });
  });
});

describe("an unknown client, an unregistered redirect_uri or a missing state is an error page without a redirect", () => {
  async function expectErrorPage(url: string): Promise<void> {
    const { status, headers, text } = await send(url, { headers: { accept: "text/html" } });
    expect(status).toBe(400);
    expect(headers.location).toBeUndefined();
    expect(headers["content-type"]).toMatch(/^text\/html/);
    expect(headers["refresh"]).toBeUndefined();
    expect(text).not.toMatch(/http-equiv|<script|(?:href|action|src)="[^"]*callback"/i);
    expect(text).toContain(headers["x-request-id"]);
  }

  test.each<[string, string, string | null]>([
    ["client_id", "missing", null],
    ["client_id", "empty", ""],
    ["client_id", "unknown", "client_nobody"],
    ["client_id", "a name that every object has", "__proto__"],
    ["client_id", "with a NUL", "client_\u0000"],
    ["redirect_uri", "missing", null],
    ["redirect_uri", "empty", ""],
    ["redirect_uri", "with a slash after it", `${REDIRECT_URI}/`],
    ["redirect_uri", "with a query", `${REDIRECT_URI}?a=b`],
    ["redirect_uri", "with a fragment", `${REDIRECT_URI}#a`],
    ["redirect_uri", "with an empty fragment", `${REDIRECT_URI}#`],
    ["redirect_uri", "with the default port", "https://partner.example:443/callback"],
    ["redirect_uri", "with another port", "https://partner.example:8443/callback"],
    ["redirect_uri", "over http", "http://partner.example/callback"],
    ["redirect_uri", "with its path in capitals", "https://partner.example/Callback"],
    ["redirect_uri", "with its host in capitals", "https://PARTNER.example/callback"],
    ["redirect_uri", "with an encoded letter", "https://partner.example/%63allback"],
    ["redirect_uri", "with a detour", "https://partner.example/a/../callback"],
    ["redirect_uri", "with a user name", "https://a@partner.example/callback"],
    ["redirect_uri", "of a host that begins alike", "https://partner.example.evil.example/callback"],
    ["redirect_uri", "with a backslash", "https://partner.example\\@evil.example/callback"],
    ["redirect_uri", "with a line break", `${REDIRECT_URI}\r\nx: y`],
    ["redirect_uri", "with a space before it", ` ${REDIRECT_URI}`],
    ["redirect_uri", "relative", "/callback"],
    ["redirect_uri", "a loopback address that is not registered", "http://localhost/callback"],
    ["redirect_uri", "a script", "javascript:alert(1)"],
    ["state", "missing", null],
    ["state", "empty", ""],
    ["state", "longer than 2,048 bytes", "x".repeat(2049)],
    ["state", "longer than 2,048 bytes, though not in characters", "€".repeat(683)],
  ])("%s %s", async (name, _, value) => {
    await expectErrorPage(app.attempt({ overrides: { [name]: value } }).url);
  });

  test.each(["client_id", "redirect_uri", "state"])("%s twice", async (name) => {
    const { url } = app.attempt();
    await expectErrorPage(`${url}&${name}=${encodeURIComponent(new URL(url).searchParams.get(name) ?? "")}`);
  });

  test("another client's redirect_uri", async () => {
    const other = partner(stack, await onboardClient(stack, { redirectUris: ["https://other.example/callback"] }));
    await expectErrorPage(other.attempt({ redirectUri: REDIRECT_URI }).url);
    await expectErrorPage(app.attempt({ redirectUri: "https://other.example/callback" }).url);
  });

  test("a disabled client, within a second of being disabled, until it is enabled again", async () => {
    const { url } = readOnly.attempt();
    const replicas = stack.authorization_server_urls;
    // Of each replica: by the gateway another test's calls could have all of these come to one.
    const statuses = async () =>
      (await Promise.all(replicas.map((replica) => send(url.replace(stack.base_url, replica))))).map(
        ({ status }) => status,
      );
    expect(await statuses()).toEqual(replicas.map(() => 302));
    await operator(stack, ["client", "disable", readOnly.client.clientId]);
    await expectWithin(
      1000,
      statuses,
      replicas.map(() => 400),
    );
    await expectErrorPage(url);
    await operator(stack, ["client", "enable", readOnly.client.clientId]);
    await expectWithin(
      1000,
      statuses,
      replicas.map(() => 302),
    );
  });
});

describe("precedence: client, then redirect_uri, then state, then the rest", () => {
  test("whatever else is wrong, a wrong client, redirect_uri or state is never redirected", async () => {
    for (const wrong of [{ client_id: "nobody" }, { redirect_uri: "https://evil.example/" }, { state: null }]) {
      const overrides = { ...wrong, scope: "unknown", response_type: "token", code_challenge: null };
      const { status, headers } = await send(app.attempt({ overrides }).url);
      expect([status, headers.location]).toEqual([400, undefined]);
    }
  });

  test("the page names the first of them that is wrong", async () => {
    const said = async (overrides: Record<string, string | null>) => (await send(app.attempt({ overrides }).url)).text;
    const all = { client_id: "nobody", redirect_uri: "https://evil.example/", state: null };
    expect(await said(all)).toContain("client_id is not registered");
    expect(await said({ ...all, client_id: app.client.clientId })).toContain("redirect_uri is not registered");
    expect(await said({ state: null })).toContain("state is missing");
  });
});
