import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, test } from "vitest";
import { send } from "../../harness/actors/http.ts";
import { type MerchantBrowser, merchantBrowser } from "../../harness/actors/merchant-browser.ts";
import { type Onboarded, onboard, REDIRECT_URI } from "../../harness/actors/onboarding.ts";
import { operator } from "../../harness/actors/operator.ts";
import { type AttemptOptions, type Partner, partner } from "../../harness/actors/partner.ts";
import { expectWithin } from "../../harness/actors/within.ts";
import { mainStack } from "../../harness/stack/stacks.ts";

const BOTH = "responses:read sources:write";
const NEW_URI = "https://partner.example/new-callback";
const PICTURE = fileURLToPath(new URL("../merchant-pages/screenshots/consent-light-1280.png", import.meta.url));

const stack = mainStack();
let onboarded: Onboarded;
let app: Partner;
let browser: MerchantBrowser;

beforeAll(async () => {
  onboarded = await onboard(stack);
  app = partner(stack, onboarded.client);
  browser = merchantBrowser(onboarded.merchant);
});

/**
 * Each replica's answer to an authorization request. Each knows the client as it was for half a second, and by the gateway other tests' calls
 * could have all of these come to one.
 */
const starts = (options: AttemptOptions) =>
  Promise.all(stack.authorization_server_urls.map((at) => send(app.attempt({ ...options, at }).url)));

const update = (...words: readonly string[]) => operator(stack, ["client", "update", app.client.clientId, ...words]);

describe("a client that changes", () => {
  test("gets another redirect URI, and loses none of its connections", async () => {
    const { refreshToken } = await app.connect(browser, onboarded.shop);
    const change = ["--add-redirect-uri", NEW_URI, "--remove-redirect-uri", REDIRECT_URI];
    const { effects } = await update(...change, "--dry-run");
    expect(effects[0]).toContain(`${REDIRECT_URI}, which 1 connection came by. It goes on working.`);
    await update(...change);
    const statuses = async (redirectUri: string) =>
      new Set((await starts({ redirectUri })).map(({ status }) => status));
    const both = async () => [await statuses(REDIRECT_URI), await statuses(NEW_URI)];
    await expectWithin(1000, both, [new Set([400]), new Set([302])]);
    expect((await app.refresh(refreshToken)).status).toBe(200);
    await app.connect(browser, onboarded.shop, { redirectUri: NEW_URI });
    await update("--add-redirect-uri", REDIRECT_URI);
  });

  test("loses a scope at the next refresh of each connection, as the command says", async () => {
    const redirectUri = NEW_URI;
    const { accessToken, refreshToken } = await app.connect(browser, onboarded.advancedShop, {
      scope: BOTH,
      redirectUri,
    });
    const write = async (token: string) => (await app.call("/api/sources", token, { name: "A", type: "tv" })).status;
    const { effects } = await update("--scope", "responses:read", "--dry-run");
    expect(effects).toEqual([
      expect.stringMatching(/^Takes sources:write away, .* at its next refresh: in \d+ minutes? at most\.$/),
    ]);
    await update("--scope", "responses:read");
    expect(await write(accessToken)).toBe(201);
    const refreshed = (await app.refresh(refreshToken)).json();
    expect(refreshed.scope).toBe("responses:read");
    expect(await write(refreshed.access_token)).toBe(403);
    expect((await app.call("/api/responses", refreshed.access_token)).status).toBe(200);
  });

  test("gets a scope for a connection only when its merchant approves again, as the command says", async () => {
    const redirectUri = NEW_URI;
    const { refreshToken } = await app.connect(browser, onboarded.advancedShop, { redirectUri });
    expect((await update("--scope", BOTH)).scope).toBe(BOTH);
    expect((await app.refresh(refreshToken)).json().scope).toBe("responses:read");
    const isTaken = async () =>
      (await starts({ scope: BOTH, redirectUri })).every(({ headers }) => headers.location?.startsWith("/oauth/"));
    await expectWithin(1000, isTaken, true);
    expect((await app.connect(browser, onboarded.advancedShop, { scope: BOTH, redirectUri })).scope).toBe(BOTH);
  });

  test("gets a logo, which browsers find on the merchants' hosts alone", async () => {
    const { logo } = await update("--logo", PICTURE);
    const get = (base: string) => send(`${base}${logo}`);
    for (const base of [stack.base_url, stack.auth_url]) {
      const { status, headers, text } = await get(base);
      expect([status, headers["content-type"], text.slice(0, 4)]).toEqual([200, "image/webp", "RIFF"]);
      expect(headers).toMatchObject({
        "cache-control": "public, max-age=31536000, immutable",
        "x-content-type-options": "nosniff",
      });
    }
    expect((await get(stack.api_url)).status).toBe(404);
    await update("--no-logo");
    const elsewhere = logo.replace(/[\w-]{43}/, "x".repeat(43));
    expect((await send(`${stack.base_url}${elsewhere}`)).status).toBe(404);
  });
});
