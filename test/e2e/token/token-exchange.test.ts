import { beforeAll, describe, expect, test } from "vitest";
import { type MerchantBrowser, merchantBrowser } from "../../harness/actors/merchant-browser.ts";
import { type Onboarded, onboard, onboardClient } from "../../harness/actors/onboarding.ts";
import { type Partner, partner } from "../../harness/actors/partner.ts";
import { mainStack } from "../../harness/stack/stacks.ts";

const stack = mainStack();
let onboarded: Onboarded;
let app: Partner;
let other: Partner;
let browser: MerchantBrowser;

beforeAll(async () => {
  const [all, second] = await Promise.all([onboard(stack), onboardClient(stack)]);
  onboarded = all;
  app = partner(stack, onboarded.client);
  other = partner(stack, second);
  browser = merchantBrowser(onboarded.merchant);
});

const obtain = () => app.obtainCode(browser, onboarded.shop);
const outcome = ({ status, json }: { status: number; json(): { error?: string } }) => [status, json().error];

describe("the code exchange", () => {
  test("answers access_token, token_type Bearer, expires_in 900, the scope granted and a refresh_token", async () => {
    const answer = await app.exchange(await obtain());
    expect(answer.status).toBe(200);
    expect(answer.headers["cache-control"]).toBe("no-store");
    expect(answer.headers["content-type"]).toMatch(/^application\/json/);
    expect(answer.json()).toEqual({
      access_token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
      token_type: "Bearer",
      expires_in: 900,
      scope: "responses:read",
      refresh_token: expect.stringMatching(/^.{43,}$/),
    });
  });

  test("scope says what was granted, which may be less than what was requested", async () => {
    const scope = "responses:read sources:write";
    expect((await app.connect(browser, onboarded.shop, { scope })).scope).toBe("responses:read");
    expect((await app.connect(browser, onboarded.advancedShop, { scope })).scope.split(" ").sort()).toEqual([
      "responses:read",
      "sources:write",
    ]);
  });

  test.each<[string, Record<string, string>]>([
    ["another redirect_uri", { redirect_uri: "https://partner.example/callback/" }],
    ["a redirect_uri that only looks the same", { redirect_uri: "https://partner.example:443/callback" }],
    ["another verifier", { code_verifier: "a".repeat(43) }],
    ["an unknown code", { code: "a".repeat(43) }],
    ["a junk code", { code: "\u0000💥" }],
  ])("%s is invalid_grant, and the code still works", async (_, overrides) => {
    const obtained = await obtain();
    expect(outcome(await app.exchange(obtained, overrides))).toEqual([400, "invalid_grant"]);
    expect(outcome(await app.exchange(obtained))).toEqual([200, undefined]);
  });

  test("a verifier that is too short to be one is invalid_request, and the code still works", async () => {
    const obtained = await obtain();
    expect(outcome(await app.exchange(obtained, { code_verifier: "a" }))).toEqual([400, "invalid_request"]);
    expect(outcome(await app.exchange(obtained))).toEqual([200, undefined]);
  });

  test("the challenge itself is no verifier", async () => {
    const obtained = await obtain();
    const challenge = new URL(obtained.url).searchParams.get("code_challenge") ?? "";
    expect(outcome(await app.exchange(obtained, { code_verifier: challenge }))).toEqual([400, "invalid_grant"]);
  });

  test("another client's exchange is invalid_grant, and the code still works for its own", async () => {
    const obtained = await obtain();
    expect(outcome(await other.exchange(obtained))).toEqual([400, "invalid_grant"]);
    expect(outcome(await app.exchange(obtained))).toEqual([200, undefined]);
  });

  test("a code works once; a second exchange right after is refused and harms nobody", async () => {
    const obtained = await obtain();
    const { refresh_token, access_token } = (await app.exchange(obtained)).json();
    expect(outcome(await app.exchange(obtained))).toEqual([400, "invalid_grant"]);
    expect((await app.refresh(refresh_token)).status).toBe(200);
    expect((await app.call("/api/responses", access_token)).status).toBe(200);
  });

  test("of 50 exchanges at once exactly one wins, and its tokens work", async () => {
    for (let round = 0; round < 3; round++) {
      const obtained = await obtain();
      const answers = await Promise.all(Array.from({ length: 50 }, () => app.exchange(obtained)));
      const winners = answers.filter(({ status }) => status === 200);
      expect(winners).toHaveLength(1);
      expect(new Set(answers.filter(({ status }) => status !== 200).map((each) => outcome(each).join(" ")))).toEqual(
        new Set(["400 invalid_grant"]),
      );
      const { refresh_token, access_token } = winners[0]?.json() ?? {};
      expect((await app.refresh(refresh_token)).status).toBe(200);
      expect((await app.call("/api/responses", access_token)).status).toBe(200);
    }
  });

  test("a code of an older approval is superseded by a newer one for the same shop", async () => {
    const older = await obtain();
    const newer = await obtain();
    expect(outcome(await app.exchange(older))).toEqual([400, "invalid_grant"]);
    expect(outcome(await app.exchange(newer))).toEqual([200, undefined]);
  });
});

describe("the refresh", () => {
  test("answers a new access_token and no refresh_token", async () => {
    const { accessToken, refreshToken } = await app.connect(browser, onboarded.shop);
    const answer = await app.refresh(refreshToken);
    expect(answer.status).toBe(200);
    expect(answer.headers["cache-control"]).toBe("no-store");
    expect(answer.json()).toEqual({
      access_token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
      token_type: "Bearer",
      expires_in: 900,
      scope: "responses:read",
    });
    expect(answer.json().access_token).not.toBe(accessToken);
    for (const token of [accessToken, answer.json().access_token]) {
      expect((await app.call("/api/responses", token)).status).toBe(200);
    }
  });

  test("is safe to repeat and to run many at a time: the refresh token stays the same", async () => {
    const { refreshToken } = await app.connect(browser, onboarded.shop);
    const answers = await Promise.all(Array.from({ length: 30 }, () => app.refresh(refreshToken)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(answers.map((answer) => answer.json().access_token)).size).toBe(30);
    expect((await app.refresh(refreshToken)).status).toBe(200);
  });

  test("can narrow the scope of one access token, and the next refresh has the whole scope again", async () => {
    const scope = "responses:read sources:write";
    const { refreshToken } = await app.connect(browser, onboarded.advancedShop, { scope });
    const narrowed = (await app.refresh(refreshToken, { scope: "responses:read" })).json();
    expect(narrowed.scope).toBe("responses:read");
    expect((await app.refresh(refreshToken)).json().scope.split(" ").sort()).toEqual(scope.split(" "));
  });
});
