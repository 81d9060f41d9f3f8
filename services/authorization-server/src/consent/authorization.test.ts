import { describe, expect, test } from "vitest";
import { randomSecret } from "../pages/cookie.ts";
import { seal } from "../sealed-text.ts";
import { type AuthorizationRequest, openRequest, sealRequest } from "./authorization.ts";

const NOW = Date.UTC(2026, 10, 21);
const BROWSER = randomSecret();
const ASKED: AuthorizationRequest = {
  clientId: "client_1",
  redirectUri: "https://partner.example/callback?tenant=ü",
  scope: ["responses:read", "sources:write"],
  state: 'a\n"\u0001\\ 😀',
  codeChallenge: "c".repeat(43),
  hints: { loginHint: "ünal@shop.example", uiLocales: "de-AT en" },
};

describe("a sealed authorization request", () => {
  test("opens in the browser that began it, as it was", () => {
    const opened = openRequest(BROWSER, sealRequest(BROWSER, ASKED, NOW), NOW);
    expect(opened).toEqual({
      ...ASKED,
      sealed: expect.any(String),
      secret: expect.stringMatching(/^[\w-]{43}$/),
      secondsLeft: 3600,
    });
  });

  test("whose hints the browser's owner has replaced by other values opens without them", () => {
    for (const hints of [{}, { loginHint: 1, uiLocales: [] }, []]) {
      const head = ["id", NOW / 1000, "client_1", "https://partner.example/", "responses:read", "challenge", hints];
      const sealed = seal(`${JSON.stringify(head)}\nstate`, BROWSER, "authorization request");
      expect(openRequest(BROWSER, sealed, NOW)).toMatchObject({ clientId: "client_1", hints: {} });
    }
  });

  test("opens in no other browser", () => {
    expect(openRequest(randomSecret(), sealRequest(BROWSER, ASKED, NOW), NOW)).toBeNull();
  });

  test("lives an hour, and begins no earlier than its clock", () => {
    const sealed = sealRequest(BROWSER, ASKED, NOW);
    expect(openRequest(BROWSER, sealed, NOW + 3_599_000)?.secondsLeft).toBe(1);
    expect(openRequest(BROWSER, sealed, NOW + 3_600_000)).toBeNull();
    expect(openRequest(BROWSER, sealed, NOW - 60_000)?.secondsLeft).toBe(3660);
    expect(openRequest(BROWSER, sealed, NOW - 61_000)).toBeNull();
  });

  test("has one secret, however its bytes are spelled, and another than the same request begun again", () => {
    const sealed = sealRequest(BROWSER, ASKED, NOW);
    const secret = openRequest(BROWSER, sealed, NOW)?.secret;
    for (const spelling of [`${sealed}=`, `${sealed} `, sealed.replaceAll("-", "+").replaceAll("_", "/")]) {
      expect(openRequest(BROWSER, spelling, NOW)?.secret).toBe(secret);
    }
    expect(openRequest(BROWSER, sealRequest(BROWSER, ASKED, NOW), NOW)?.secret).not.toBe(secret);
  });

  test("that the browser's owner made of something else is none", () => {
    const texts = [
      "",
      "\n",
      "{}\n",
      "[]\nstate",
      "null\nstate",
      '["a","b","c","d","e","f"]\nstate',
      '["a",1,"c","d","e","f",null]\nstate',
      "[1",
    ];
    for (const text of texts) {
      expect.soft(openRequest(BROWSER, seal(text, BROWSER, "authorization request"), NOW), text).toBeNull();
    }
  });

  test("with the longest state is 3 kB", () => {
    const sealed = sealRequest(BROWSER, { ...ASKED, state: "\u0001".repeat(2048) }, NOW);
    expect(sealed.length).toBeLessThan(3100);
  });
});
