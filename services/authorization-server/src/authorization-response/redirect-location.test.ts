import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { redirectLocation } from "./redirect-location.ts";

describe("the redirect to a client", () => {
  test.each([
    ["https://partner.example/cb", "https://partner.example/cb?code=a%2Fb&state=s%20t"],
    ["https://PARTNER.example:443/CB", "https://PARTNER.example:443/CB?code=a%2Fb&state=s%20t"],
    ["https://partner.example/cb?a=%20+b", "https://partner.example/cb?a=%20+b&code=a%2Fb&state=s%20t"],
    ["https://partner.example/cb?", "https://partner.example/cb?code=a%2Fb&state=s%20t"],
    ["https://partner.example/cb?a&", "https://partner.example/cb?a&code=a%2Fb&state=s%20t"],
  ])("from %s begins with its bytes", (redirectUri, location) => {
    expect(redirectLocation(redirectUri, { code: "a/b", state: "s t" })).toBe(location);
  });

  test("echoes any state as it was", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", minLength: 1 }), (state) => {
        const location = redirectLocation("https://partner.example/cb", { state });
        expect(new URL(location).searchParams.get("state")).toBe(state.toWellFormed());
      }),
    );
  });
});
