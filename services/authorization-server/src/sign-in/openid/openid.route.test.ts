import { createHmac } from "node:crypto";
import { findMerchantByIdentity, linkIdentity, putMerchant } from "@partner-connect/directory";
import { afterAll, expect, onTestFinished, test } from "vitest";
import {
  type Person,
  startOpenIdProvider,
  type TestOpenIdProvider,
} from "../../../../../test/harness/actors/openid-provider.ts";
import { expectPage, type MerchantBrowser, type Page } from "../../testing/merchant-browser.ts";
import {
  type MerchantFixture,
  PASSWORD,
  suiteFixture,
  type TestMerchant,
  testFixture,
} from "../../testing/merchant-fixture.ts";
import { BASE_URL } from "../../testing/replicas.ts";

const provider = await startOpenIdProvider(BASE_URL);
afterAll(() => provider.stop());
const fixture = await suiteFixture({
  env: { ...provider.env, HELP_URL: "https://help.example/", LOG_LEVEL: "error" },
});
const { sql } = fixture.replicas;

let people = 0;
function personOf({ email }: { readonly email: string }, more: Partial<Person> = {}): Person {
  people += 1;
  return { subject: `person-${people}`, email, name: "Ada Fern", ...more };
}

/** Where the page's button leads. */
function button(page: Page): string {
  const [, path = ""] =
    /href="(\/oauth\/sign-in\/openid\?[^"]*)"/.exec(page.html) ??
    expect.fail(`no button:\n${page.html}`);
  return path.replaceAll("&amp;", "&");
}

/** Follows the page's button through the provider to the page where the browser ends up. */
async function enter(browser: MerchantBrowser, page: Page, person: Person | null): Promise<Page> {
  const begun = await browser.open(button(page));
  return await browser.open(await provider.signIn(begun, person));
}

/** The page to which our redirect leads. */
async function next(browser: MerchantBrowser, page: Page): Promise<Page> {
  expect([page.status, page.location]).toEqual([303, expect.stringMatching(/^\//)]);
  return await browser.open(page.location ?? "");
}

/** The token of the form that this browser would get. */
function tokenOf(browser: MerchantBrowser): string {
  const secret = browser.cookies.get("__Host-merchant_browser") ?? "";
  return createHmac("sha256", secret).update("/oauth/sign-in").digest("base64url");
}

/** A browser at the sign-in, and a merchant with an account. */
const fresh = async (): Promise<[MerchantBrowser, Page, TestMerchant]> => {
  const browser = fixture.browser();
  return [browser, await browser.open("/oauth/sign-in"), await fixture.registerMerchant()];
};

/** Replaces the provider's response at this path until the test is over. */
function override(path: string, answer: Parameters<TestOpenIdProvider["override"]>[1]): void {
  provider.override(path, answer);
  onTestFinished(() => provider.override(path, undefined));
}

test("an OpenID sign-in links the account with the verified address, and later sign-ins find the account by the identity", async () => {
  const ada = await fixture.registerMerchant();
  const person = personOf({ email: ada.email.toUpperCase() });
  const [browser, page] = await fresh();
  const done = await enter(browser, page, person);
  expect([done.status, done.location]).toEqual([303, "/oauth/connections"]);
  expect((await next(browser, done)).html).toContain(ada.email);
  const identity = { issuer: provider.issuer, subject: person.subject };
  expect(await findMerchantByIdentity(sql, identity)).toMatchObject({ id: ada.id });

  // The address has changed here and at the provider, but the person is the same.
  await sql`UPDATE directory.merchants SET email = ${`new-${ada.email}`} WHERE id = ${ada.id}`;
  const [later, form] = await fresh();
  const again = await enter(later, form, { ...person, email: "elsewhere@shop.example" });
  expect((await next(later, again)).html).toContain(`new-${ada.email}`);

  const records = await sql`
      SELECT event, actor, details FROM directory.audit_log WHERE merchant_id = ${ada.id} ORDER BY id`;
  const who = { actor: `merchant:${ada.id}` };
  const entry = { ...who, event: "merchant_sign_in", details: { by: "openid" } };
  expect(records).toEqual([
    { ...who, event: "merchant_join_identity", details: { issuer: provider.issuer } },
    entry,
    entry,
  ]);
});

test("an OpenID sign-in for an authorization request uses PKCE, a nonce and an opaque state, and returns to the request", async () => {
  const ada = await fixture.registerMerchant();
  await fixture.registerShop("Fern & Field", "advanced_attribution", ada);
  const browser = fixture.browser();
  const path = await fixture.begin(browser, { state: "s".repeat(2048) });
  const begun = await browser.open(button(await browser.open(path)));
  const { searchParams } = new URL(begun.location ?? "");
  expect(Object.fromEntries(searchParams)).toEqual({
    client_id: "partner-connect",
    redirect_uri: `${BASE_URL}/oauth/sign-in/openid/callback`,
    response_type: "code",
    scope: "openid email profile",
    state: expect.stringMatching(/^[\w-]{100,7900}$/),
    nonce: expect.stringMatching(/^[\w-]{43}$/),
    code_challenge: expect.stringMatching(/^[\w-]{43}$/),
    code_challenge_method: "S256",
  });
  const done = await browser.open(await provider.signIn(begun, personOf(ada)));
  expect(done.location).toBe(path);
  expect((await browser.open(path)).html).toContain("Approve");
});

test("the OpenID sign-in is offered next to the password, which still works", async () => {
  const [browser, page, ada] = await fresh();
  expect(page.html).toContain("Continue with <bdi>Surveyor</bdi>");
  expect((await fixture.signIn(browser, page, ada)).location).toBe("/oauth/connections");
  // A signed-in merchant is not sent to the provider.
  expect((await browser.open(button(page))).location).toBe("/oauth/connections");
});

const ended = [410, "This sign-in was already used, took too long, or started in another browser."];
const refused = async (page: Page, browser: MerchantBrowser) => {
  const shown = await next(browser, page);
  expect((await browser.open("/oauth/connections")).status).toBe(303);
  expect(shown.html).toContain("You’re not signed in</h1>");
  return [
    shown.status,
    /<p class="lead">(.*?)<\/p>/.exec(shown.html)?.[1]?.replaceAll(/<[^>]*>/g, ""),
  ];
};

test("an OpenID sign-in with an unknown address gets 403 and a button for another OpenID account", async () => {
  const [browser, page] = await fresh();
  const done = await enter(browser, page, personOf({ email: "nobody@shop.example" }));
  const shown = await next(browser, done);
  expectPage(shown, 403, "<bdi>nobody@shop.example</bdi> has no account here. Ask us for one.");
  expect(shown.html).toContain('href="https://help.example/">Contact us</a>');
  const other = await browser.open(button(shown));
  expect(new URL(other.location ?? "").searchParams.get("prompt")).toBe("login");
  await browser.press(shown, "Deutsch");
  expect((await browser.open(done.location ?? "")).html).toContain(
    "nobody@shop.example</bdi> hat hier kein Konto.",
  );
});

const disable = ({ id }: TestMerchant) =>
  sql`UPDATE directory.merchants SET status = 'disabled' WHERE id = ${id}`;
/** Links the account with somebody else, who had the address before. */
const joinAnother = async (ada: TestMerchant) => {
  const [browser, page] = await fresh();
  await enter(browser, page, personOf(ada));
};
test.each<[RegExp, Partial<Person>, ((ada: TestMerchant) => Promise<unknown>)?]>([
  [/^Surveyor didn’t confirm/, { emailVerified: false }],
  [/^Your account is locked/, {}, disable],
  [/is linked to another Surveyor account/, {}, joinAnother],
])("an OpenID sign-in is refused with reason %s", async (lead, more, prepare = async () => {}) => {
  const ada = await fixture.registerMerchant();
  await prepare(ada);
  const [browser, page] = await fresh();
  const done = await enter(browser, page, personOf(ada, more));
  expect(await refused(done, browser)).toEqual([403, expect.stringMatching(lead)]);
});

test("an OpenID sign-in that was cancelled at the provider is refused with 403", async () => {
  const [browser, page] = await fresh();
  const told = [403, "You canceled the sign-in at Surveyor."];
  expect(await refused(await enter(browser, page, null), browser)).toEqual(told);
});

test("an OpenID callback is refused in another browser, or if its state is wrong or missing", async () => {
  const [browser, page, ada] = await fresh();
  const back = new URL(await provider.signIn(await browser.open(button(page)), personOf(ada)));
  const [foreign] = await fresh();
  expect(await refused(await foreign.open(back.href), foreign)).toEqual(ended);
  for (const state of ["", "x", back.searchParams.get("state")?.slice(1) ?? ""]) {
    const url = new URL(back);
    url.searchParams.set("state", state);
    expect(await refused(await browser.open(url.href), browser)).toEqual(ended);
  }
  // The refused attempts use nothing up.
  expect((await browser.open(back.href)).location).toBe("/oauth/connections");
});

test("a repeated OpenID callback is refused unless the browser already has a session", async () => {
  const [browser, page, ada] = await fresh();
  const back = await provider.signIn(await browser.open(button(page)), personOf(ada));
  const both = await Promise.all([browser.open(back), browser.open(back)]);
  expect(both.map(({ location }) => location).sort()[0]).toBe("/oauth/connections");
  expect((await browser.open(back)).location).toBe("/oauth/connections");
  browser.cookies.delete("__Host-merchant_session");
  expect(await refused(await browser.open(back), browser)).toEqual(ended);
});

test("an OpenID sign-in that began on the auth hostname is redirected back there by the callback on the public hostname", async () => {
  const env = { ...provider.env, AUTH_PUBLIC_URL: "https://auth.example" };
  const own = await testFixture({ env });
  const [browser, onPublicHost] = [own.browser(), own.browser()];
  const begun = await browser.open(button(await browser.open("/oauth/sign-in")));
  const back = new URL(await provider.signIn(begun, personOf(await own.registerMerchant())));
  const path = back.pathname + back.search;
  expect((await onPublicHost.open(path)).location).toBe(env.AUTH_PUBLIC_URL + path);
  const host = { host: "auth.example" };
  expect((await onPublicHost.open(path, host)).location).toMatch(
    /^\/oauth\/sign-in\/openid\/failed/,
  );
  expect((await browser.open(path, host)).location).toBe("/oauth/connections");
});

test("an OpenID callback with the code of another attempt is refused, even in the same browser", async () => {
  const [browser, page, ada] = await fresh();
  const first = new URL(await provider.signIn(await browser.open(button(page)), personOf(ada)));
  const second = new URL((await browser.open(button(page))).location ?? "");
  first.searchParams.set("state", second.searchParams.get("state") ?? "");
  expect(await refused(await browser.open(first.href), browser)).toEqual(ended);
});

const JSON_TYPE = { "content-type": "application/json" };

/** The redirect of the callback with these claims in the ID token and userinfo, and its status. */
async function cameWith(inToken: object, atMe: object, seconds = 3600) {
  const [browser, page, ada] = await fresh();
  const begun = await browser.open(button(page));
  const back = await provider.signIn(begun, personOf(ada));
  const nonce = new URL(begun.location ?? "").searchParams.get("nonce");
  const claims = JSON.parse(JSON.stringify({ inToken, atMe }).replaceAll("ADA", ada.email));
  const sub = ada.id;
  const idToken = await provider.idToken({ nonce, sub, ...claims.inToken }, seconds);
  const answers = {
    "/token": { access_token: "a", token_type: "Bearer", id_token: idToken },
    "/me": { sub, ...claims.atMe },
  };
  for (const [path, answer] of Object.entries(answers)) {
    override(path, (_, response) => response.writeHead(200, JSON_TYPE).end(JSON.stringify(answer)));
  }
  const done = await browser.open(back);
  return [done.location, (await next(browser, done)).status];
}

const joined = ["/oauth/connections", 200];
const failed = (status: number) => [
  expect.stringMatching(/^\/oauth\/sign-in\/openid\/failed/),
  status,
];
const verified = { email: "ADA", email_verified: true };
// Cognito and Apple send `email_verified` as a string.
const asText = { email: "ADA", email_verified: "true" };
const other = { ...verified, email: "other@shop.example" };
test.each([
  [verified, {}, joined],
  [asText, {}, joined],
  [{ email: "ADA" }, verified, joined],
  [{}, asText, joined],
  [{ email: "ADA", email_verified: "false" }, {}, failed(403)],
  [{ email: "ADA" }, other, failed(403)],
  [{ email: "ADA" }, { email: "ADA" }, failed(403)],
])(
  "an OpenID sign-in requires a verified email in the ID token (%j) or userinfo (%j)",
  async (inToken, atMe, outcome) => {
    expect(await cameWith(inToken, atMe)).toEqual(outcome);
  },
);

test("an ID token may have expired a minute ago, but not an hour ago", async () => {
  expect(await cameWith(verified, {}, -60)).toEqual(joined);
  expect(await cameWith(verified, {}, -3600)).toEqual(failed(503));
});

type Answer = Parameters<TestOpenIdProvider["override"]>[1];
const answers =
  (status: number, body = ""): Answer =>
  (_, response) =>
    response.writeHead(status, JSON_TYPE).end(body);
const unsigned = '{"access_token":"a","token_type":"bearer","id_token":"a.b.c"}';
test.each<[string, string, Answer]>([
  ["returns an unsigned ID token", "/token", answers(200, unsigned)],
  ["takes longer than five seconds", "/token", () => {}],
  ["fails to return userinfo", "/me", answers(503)],
  ["fails to return its keys", "/jwks", answers(503)],
])("a provider that %s causes a 503, and the next attempt succeeds", async (_, path, answer) => {
  const own = await testFixture({ env: provider.env }); // has no keys cached
  const ada = await own.registerMerchant();
  const browser = own.browser();
  const begun = await browser.open(button(await browser.open("/oauth/sign-in")));
  const back = await provider.signIn(begun, personOf(ada));
  override(path, answer);
  const shown = await next(browser, await browser.open(back));
  expect([shown.status, shown.headers["retry-after"]]).toEqual([503, "2"]);
  expect(shown.html).toContain("<bdi>Surveyor</bdi> isn’t responding.");
  expect(shown.html).not.toContain("Incorrect");
  provider.override(path, undefined);
  expect((await enter(browser, shown, personOf(ada))).location).toBe("/oauth/connections");
});

test.each<[string, object, RegExp, (begun: Page) => Promise<string>]>([
  [
    "a wrong client secret",
    { OIDC_CLIENT_SECRET: "x".repeat(32) },
    /^OIDC_CLIENT_ID or OIDC_CLIENT_SECRET is wrong: .*invalid_client/,
    (begun) => provider.signIn(begun, personOf({ email: "ada@shop.example" })),
  ],
  [
    "a scope that our client may not request",
    {},
    /^the client may not request openid, email and profile: .*invalid_scope/,
    async ({ location }) => {
      const state = new URL(location ?? "").searchParams.get("state");
      return `/oauth/sign-in/openid/callback?${new URLSearchParams({ error: "invalid_scope", state: state ?? "", iss: provider.issuer })}`;
    },
  ],
])(
  "if the OpenID provider refuses our client for %s, the page blames the setup and the log has the reason",
  async (_, env, reason, back) => {
    const own = await testFixture({ env: { ...provider.env, LOG_LEVEL: "error", ...env } });
    const browser = own.browser();
    const begun = await browser.open(button(await browser.open("/oauth/sign-in")));
    const shown = await next(browser, await browser.open(await back(begun)));
    expectPage(shown, 503, "Sign-in with <bdi>Surveyor</bdi> isn’t set up");
    expect(own.replicas.records).toMatchObject([
      { msg: "OpenID sign-in failed", reason: expect.stringMatching(reason) },
    ]);
  },
);

test("a failed discovery of the OpenID provider is retried at the next sign-in", async () => {
  const own = await testFixture({ env: provider.env });
  const browser = own.browser();
  const page = await browser.open("/oauth/sign-in");
  override("/.well-known/openid-configuration", (_, response) => response.destroy());
  expect((await next(browser, await browser.open(button(page)))).status).toBe(503);
  provider.override("/.well-known/openid-configuration", undefined);
  expect((await browser.open(button(page))).location).toContain(provider.issuer);
});

test("with OIDC_ONLY, no page asks for or accepts a password", async () => {
  const own = await testFixture({ env: { ...provider.env, OIDC_ONLY: "true" } });
  const ada = await own.registerMerchant();
  const browser = own.browser();
  const page = await browser.open("/oauth/sign-in");
  expect(page.html).not.toMatch(/password/i);
  const form = await fixture.browser().open("/oauth/sign-in");
  const typed = { email: ada.email, password: PASSWORD, token: tokenOf(browser) };
  expect((await browser.press(form, "Sign in", typed)).status).toBe(403);
  const pages = ["", "/forgot", "/reset?link=x"].map((page) => `/oauth/password${page}`);
  for (const path of [...pages, "/.well-known/change-password"]) {
    expect((await browser.open(path)).status).toBe(404);
  }
  expect((await enter(browser, page, personOf(ada))).location).toBe("/oauth/connections");
  expect((await browser.open("/oauth/connections")).html).not.toMatch(/password/i);
  const proof = await browser.open("/oauth/account/confirm");
  expect(proof.html).not.toMatch(/password/i);
  const posted = { again: "", password: PASSWORD };
  expect((await browser.press(proof, "Sign in", posted)).status).toBe(403);
});

const notYet =
  "Your <bdi>Surveyor</bdi> account isn’t connected here yet. Try again in a few minutes.";
const enterAs = async (on: MerchantFixture, person: Person) => {
  const browser = on.browser();
  const done = await enter(browser, await browser.open("/oauth/sign-in"), person);
  return (await next(browser, done)).html;
};
const put = async ({ replicas }: MerchantFixture) => {
  const anna = {
    id: `7-${crypto.randomUUID()}`,
    email: `${crypto.randomUUID()}@shop.example`,
    name: "Anna",
  };
  await putMerchant(replicas.sql, anna, { name: "product:survey" });
  return anna;
};

test("with OPENID_SUBJECT_IS_MERCHANT_ID, only merchants whom the product created can sign in, and only by `sub`", async () => {
  const own = await testFixture({ env: { ...provider.env, OPENID_SUBJECT_IS_MERCHANT_ID: "1" } });
  const [anna, ada] = [await put(own), await own.registerMerchant()];
  const elsewhere = { email: "elsewhere@shop.example" };
  const unverified = { subject: anna.id, emailVerified: false };
  expect(await enterAs(own, personOf(elsewhere, unverified))).toContain(anna.email);
  for (const [why, person] of [
    ["an operator made this one", personOf(elsewhere, { subject: ada.id })],
    ["the product has not sent the merchant", personOf(elsewhere, { emailVerified: false })],
    ["the address changed hands before the product said so", personOf(anna)],
    ["the address is an operator's merchant's", personOf(ada)],
  ] as const)
    expect(await enterAs(own, person), why).toContain(notYet);
  // The accounts were linked by the address before the setting was made.
  const before = personOf(ada);
  await linkIdentity(
    own.replicas.sql,
    { issuer: provider.issuer, subject: before.subject },
    ada.email,
    {},
  );
  expect(await enterAs(own, before)).toContain(notYet);
});

test("without OPENID_SUBJECT_IS_MERCHANT_ID, a merchant whom the product created can't sign in", async () => {
  const anna = await put(fixture);
  expect(await enterAs(fixture, personOf(anna))).toContain(notYet);
  expect(
    await enterAs(fixture, personOf({ email: "elsewhere@shop.example" }, { subject: anna.id })),
  ).toContain("has no account here");
});
