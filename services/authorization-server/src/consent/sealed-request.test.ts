import { expect, test } from "vitest";
import type { AuthorizationRequest } from "../authorize/authorization-request.ts";
import { randomSecret } from "../browser/cookie.ts";
import { sealDated } from "../sealed-text.ts";
import { sealRequest, unsealRequest } from "./sealed-request.ts";

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

test("a sealed authorization request opens unchanged in the browser that began it", () => {
  const sealed = sealRequest(BROWSER, ASKED, NOW);
  const opened = unsealRequest(BROWSER, sealed, NOW);
  expect(opened).toEqual({ ...ASKED, secret: expect.stringMatching(/^[\w-]{43}$/) });
});

test("a sealed authorization request with invalid login_hint and ui_locales opens without them", () => {
  for (const hints of [{}, { loginHint: 1, uiLocales: [] }, []]) {
    const head = [
      "id",
      "client_1",
      "https://partner.example/",
      "responses:read",
      "challenge",
      hints,
    ];
    const sealed = sealDated(
      `${JSON.stringify(head)}\nstate`,
      BROWSER,
      "authorization request",
      NOW,
    );
    expect(unsealRequest(BROWSER, sealed, NOW)?.hints).toEqual({});
  }
});

test("a sealed authorization request can't be opened in another browser", () => {
  expect(unsealRequest(randomSecret(), sealRequest(BROWSER, ASKED, NOW), NOW)).toBeNull();
});

test.each([
  [3599, "opens"],
  [3600, "is refused"],
  [-60, "opens"],
  [-61, "is refused"],
])("an authorization request that was sealed %i seconds ago %s", (seconds, outcome) => {
  const sealed = sealRequest(BROWSER, ASKED, NOW);
  expect(unsealRequest(BROWSER, sealed, NOW + seconds * 1000) !== null).toBe(outcome === "opens");
});

test("the same authorization request gets a new secret each time it is sealed", () => {
  const secret = unsealRequest(BROWSER, sealRequest(BROWSER, ASKED, NOW), NOW)?.secret;
  expect(unsealRequest(BROWSER, sealRequest(BROWSER, ASKED, NOW), NOW)?.secret).not.toBe(secret);
});

test("a validly sealed text that is not an authorization request is refused", () => {
  const texts = [
    "",
    "\n",
    "{}\n",
    "[]\nstate",
    "null\nstate",
    '["a","b","c","d","e"]\nstate',
    '["a","b","c","d","e",null]\nstate',
    "[1",
  ];
  for (const text of texts) {
    const sealed = sealDated(text, BROWSER, "authorization request", NOW);
    expect.soft(unsealRequest(BROWSER, sealed, NOW), text).toBeNull();
  }
});

test("a sealed authorization request with the longest state has less than 3,100 characters", () => {
  const sealed = sealRequest(BROWSER, { ...ASKED, state: "\u0001".repeat(2048) }, NOW);
  expect(sealed.length).toBeLessThan(3100);
});
