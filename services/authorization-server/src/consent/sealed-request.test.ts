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

test("a sealed authorization request opens without hints that the browser's owner has replaced by invalid values", () => {
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

test("a sealed authorization request opens in no other browser", () => {
  expect(unsealRequest(randomSecret(), sealRequest(BROWSER, ASKED, NOW), NOW)).toBeNull();
});

test.each([
  [3599, true],
  [3600, false],
  [-60, true],
  [-61, false],
])("a sealed authorization request %i seconds after it was sealed opens: %j", (seconds, opens) => {
  const sealed = sealRequest(BROWSER, ASKED, NOW);
  expect(unsealRequest(BROWSER, sealed, NOW + seconds * 1000) !== null).toBe(opens);
});

test("a sealed authorization request has its own secret, even if the same request begins again", () => {
  const secret = unsealRequest(BROWSER, sealRequest(BROWSER, ASKED, NOW), NOW)?.secret;
  expect(unsealRequest(BROWSER, sealRequest(BROWSER, ASKED, NOW), NOW)?.secret).not.toBe(secret);
});

test("a sealed authorization request is refused if its seal is valid but its text is not a request", () => {
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

test("a sealed authorization request takes about 3 KB with the longest state", () => {
  const sealed = sealRequest(BROWSER, { ...ASKED, state: "\u0001".repeat(2048) }, NOW);
  expect(sealed.length).toBeLessThan(3100);
});
