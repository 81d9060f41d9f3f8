import { expect, test } from "vitest";
import {
  requireGrantTypes,
  requireIdentity,
  requireRedirectUris,
  requireScope,
  requireWebAddress,
} from "./client-rules.ts";

const LONGEST = `https://acme.example/${"a".repeat(479)}`;

test("a valid web address is stored in the form in which browsers write it", () => {
  const kept = [
    ["https://acme.example", "https://acme.example/"],
    ["  https://Acme.example/About-us? ", "https://acme.example/About-us?"],
    ["HTTPS://acme.example:8443/a#b", "https://acme.example:8443/a#b"],
    ["https://bücher.example/ä", "https://xn--bcher-kva.example/%C3%A4"],
    ["https://acme.example/@acme", "https://acme.example/@acme"],
    ["https://acme.example//@acme", "https://acme.example//@acme"],
    ["https://4.www.acme.e2", "https://4.www.acme.e2/"],
    [LONGEST, LONGEST],
    ["https://acme.example/?to=a@b", "https://acme.example/?to=a@b"],
  ] as const;
  for (const [given, written] of kept)
    expect.soft(requireWebAddress(given, "website")).toBe(written);
});

test("a web address is refused if it is malformed, is not https, or could mislead people about its host", () => {
  const refused: [string, RegExp][] = [
    ["", /is empty/],
    ["acme.example", /is not an https:\/\/ address/],
    ["http://acme.example", /is not an https:\/\/ address/],
    ["javascript:alert(1)", /is not an https:\/\/ address/],
    ["https:acme.example", /is not an https:\/\/ address/],
    ["https://ada:secret@acme.example/", /has a user name or password/],
    ["https://@acme.example/", /has a user name or password/],
    ["https://acme.example\\@evil.example", /is not a valid address/],
    ["https://ac me.example", /is not a valid address/],
    ["https://acme.example/\nX", /is not a valid address/],
    ["https://acme.example/\u202egnp", /is not a valid address/],
    ["https://acme..example", /has a host without a public name/],
    ["https://.acme.example", /has a host without a public name/],
    ["https://acme.example./", /has a host without a public name/],
    ["https://localhost/", /has a host without a public name/],
    ["https://127.0.0.1/", /has a number for a host/],
    ["https://[::1]/", /has a number for a host/],
    [`https://acme.example/${"a".repeat(480)}`, /is longer than 500 characters/],
    ["x https://acme.example", /is not an https:\/\/ address/],
  ];
  for (const [given, problem] of refused) {
    const refusal = expect.objectContaining({
      code: "INVALID_WEB_ADDRESS",
      message: expect.stringMatching(problem),
    });
    expect.soft(() => requireWebAddress(given, "website"), given).toThrow(refusal);
  }
});

const URI = "https://B.example:443/cb?x=%2f";
const LOCAL = "http://localhost/cb";

test("a client's redirect URIs and scopes keep their order and spelling, without duplicates", () => {
  expect(requireRedirectUris([URI, LOCAL, URI])).toEqual([URI, LOCAL]);
  const scope = ["sources:write", "responses:read", "sources:write"];
  expect(requireScope(scope)).toEqual(scope.slice(0, 2));
  expect(requireGrantTypes(["refresh_token"])).toEqual(["refresh_token"]);
});

test.each([
  [() => requireRedirectUris([]), "INVALID_REDIRECT_URI", /at least one/],
  [
    () => requireRedirectUris([URI, "https://a.example/\r\n"]),
    "INVALID_REDIRECT_URI",
    /\\r\\n" has/,
  ],
  [() => requireScope([]), "INVALID_SCOPE", /at least one scope: there are responses:read and/],
  [() => requireScope(["responses:read", ""]), "INVALID_SCOPE", /^"" is not a scope: there/],
  [() => requireScope(["Responses:read"]), "INVALID_SCOPE", /responses:read and sources:write$/],
  [() => requireGrantTypes([]), "INVALID_GRANT_TYPE", /at least one/],
  [() => requireGrantTypes(["implicit"]), "INVALID_GRANT_TYPE", /"implicit" is not a grant type/],
])("a client is refused with $1 and a message that matches $2", (requiring, code, message) => {
  const refusal = { code, message: expect.stringMatching(message) };
  expect(requiring).toThrow(expect.objectContaining(refusal));
});

test("the facts about a client's company are normalized, and absent facts stay absent", () => {
  expect(
    requireIdentity({
      publisher: " Acme GmbH ",
      website: "https://Acme.example",
      privacyPolicy: "https://acme.example",
      contact: "Privacy@acme.example",
    }),
  ).toEqual({
    publisher: "Acme GmbH",
    website: "https://acme.example/",
    privacyPolicy: "https://acme.example/",
    contact: "privacy@acme.example",
  });
  const absent = { publisher: null, website: undefined, privacyPolicy: null, contact: undefined };
  expect(requireIdentity(absent)).toEqual(absent);
});
