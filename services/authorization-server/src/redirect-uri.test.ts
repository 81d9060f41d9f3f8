import fc from "fast-check";
import { expect, test } from "vitest";
import { isRegisteredRedirectUri, redirectLocation, withoutSecrets } from "./redirect-uri.ts";

test("a registered redirect URI matches the same URI and, on loopback, any port", () => {
  const pairs = [
    ["https://partner.example/callback", "https://partner.example/callback"],
    ["http://127.0.0.1:3000/callback?a=b", "http://127.0.0.1:65535/callback?a=b"],
    ["http://localhost", "http://localhost:1"],
    ["http://localhost?a=b", "http://localhost:1?a=b"],
  ] as const;
  for (const [registered, presented] of pairs) {
    expect.soft(isRegisteredRedirectUri(presented, [registered]), presented).toBe(true);
  }
});

test("a registered redirect URI matches no URI with another case, host, path or query", () => {
  const pairs = [
    ["https://partner.example/callback", "https://partner.example/callback/"],
    ["https://partner.example/callback", "https://partner.example/Callback"],
    ["https://partner.example/callback", "https://PARTNER.example/callback"],
    ["https://partner.example/callback", "https://partner.example:443/callback"],
    ["https://partner.example/callback", "https://partner.example/callback?"],
    ["https://partner.example/callback", "https://partner.example/callback#"],
    ["https://partner.example/callback", "http://partner.example/callback"],
    ["https://localhost/callback", "https://localhost:8443/callback"],
    ["http://localhost/callback", "https://localhost/callback"],
    ["http://localhost/callback", "http://127.0.0.1/callback"],
    ["http://localhost/callback", "http://[::1]/callback"],
    ["http://localhost/callback", "http://LOCALHOST:80/callback"],
    ["http://localhost/callback", "http://localhost:80/callback/"],
    ["http://localhost/callback", "http://localhost:80/Callback"],
    ["http://localhost/callback", "http://localhost:80/callback?a=b"],
    ["http://localhost/callback", "http://localhost:80/callback#a"],
    ["http://localhost/callback", "http://localhost:/callback"],
    ["http://localhost/callback", "http://localhost:0/callback"],
    ["http://localhost/callback", "http://localhost:080/callback"],
    ["http://localhost/callback", "http://localhost:65536/callback"],
    ["http://localhost/callback", "http://localhost:８０/callback"],
    ["http://localhost/callback", "http://localhost:80@evil.example/callback"],
    ["http://localhost/callback", "http://localhost:80\\@evil.example/callback"],
    ["http://localhost/callback", "http://localhost@evil.example/callback"],
    ["http://localhost/callback", "http://localhost.evil.example/callback"],
    ["http://localhost/callback", "\nhttp://localhost:80/callback"],
    ["http://localhost", "http://localhost@evil.example"],
    ["http://localhost", "http://localhost:80@evil.example"],
    ["http://localhost", "http://localhost.evil.example"],
    ["http://localhost", "http://localhost/"],
    ["http://localhost/", "http://localhost:80"],
  ] as const;
  for (const [registered, presented] of pairs) {
    expect.soft(isRegisteredRedirectUri(presented, [registered]), presented).toBe(false);
  }
});

const segments = fc.array(fc.constantFrom("/", "a", "B", "%2F", ".", "~"), { maxLength: 6 });
const path = fc.oneof(
  fc.constant(""),
  segments.map((parts) => `/${parts.join("")}`),
);
const host = fc.constantFrom("localhost", "127.0.0.1");
const port = fc.integer({ min: 1, max: 65_535 });

test("a registered redirect URI on loopback matches the same URI with any other port", () => {
  fc.assert(
    fc.property(host, path, fc.option(port), fc.option(port), (name, rest, one, other) => {
      const uri = (value: number | null) =>
        `http://${name}${value === null ? "" : `:${value}`}${rest}`;
      expect(isRegisteredRedirectUri(uri(other), [uri(one)])).toBe(true);
    }),
  );
});

test("a registered redirect URI matches no URI with a change outside the port of a loopback host", () => {
  const registered = fc.oneof(
    fc
      .tuple(
        fc.constantFrom("https://a.example", "https://a.example:8443", "https://localhost"),
        path,
      )
      .map((parts) => parts.join("")),
    fc
      .tuple(host, fc.option(port), path)
      .map(([name, value, rest]) => `http://${name}${value === null ? "" : `:${value}`}${rest}`),
  );
  const edit = fc.record({
    at: fc.nat(60),
    remove: fc.nat(2),
    insert: fc.string({ unit: fc.constantFrom(..."@:/\\?#%0189aA. \t\n", "é"), maxLength: 2 }),
  });
  fc.assert(
    fc.property(registered, edit, (uri, { at, remove, insert }) => {
      const presented = uri.slice(0, at) + insert + uri.slice(at + remove);
      if (presented === uri || !isRegisteredRedirectUri(presented, [uri])) return;
      const [one, other] = [new URL(uri), new URL(presented)];
      expect(one.protocol).toBe("http:");
      expect({ host: other.hostname, path: other.pathname, user: other.username }).toEqual({
        host: one.hostname,
        path: one.pathname,
        user: "",
      });
    }),
    { numRuns: 5000 },
  );
});

test.each([
  ["https://a:b@c.example/d?e\nf#g", "https://…@c.example/d?…"],
  ["https://c.example/d#f", "https://c.example/d#…"],
  ["https://c.example/?", "https://c.example/?…"],
  ["https://c.example/a@b", "https://c.example/a@b"],
  ["a@b", "…@b"],
  ["ab:x@y", "ab:…@y"],
  ["https:\\\\a@b", "https:\\\\…@b"],
  ["https://ü.example/\0 ", "https://%C3%BC.example/%00%20"],
  [`https://c.example/${"a".repeat(600)}`, `https://c.example/${"a".repeat(482)}`],
])("the URI %j is recorded without secret parts as $1", (presented, kept) => {
  expect(withoutSecrets(presented)).toBe(kept);
});

test.each([
  ["https://partner.example/cb", "https://partner.example/cb?code=a%2Fb&state=s%20t"],
  ["https://PARTNER.example:443/CB", "https://PARTNER.example:443/CB?code=a%2Fb&state=s%20t"],
  [
    "https://partner.example/cb?a=%20+b",
    "https://partner.example/cb?a=%20+b&code=a%2Fb&state=s%20t",
  ],
  ["https://partner.example/cb?", "https://partner.example/cb?code=a%2Fb&state=s%20t"],
  ["https://partner.example/cb?a&", "https://partner.example/cb?a&code=a%2Fb&state=s%20t"],
])("the redirect to %s begins with the URI unchanged, byte for byte", (redirectUri, location) => {
  expect(redirectLocation(redirectUri, { code: "a/b", state: "s t" })).toBe(location);
});

test("the redirect to a client returns any state unchanged", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", minLength: 1 }), (state) => {
      const location = redirectLocation("https://partner.example/cb", { state });
      expect(new URL(location).searchParams.get("state")).toBe(state.toWellFormed());
    }),
  );
});
