import fc from "fast-check";
import { expect, test } from "vitest";
import { redirectUriProblem } from "./registrable-redirect-uri.ts";

test("a redirect URI may have https with any host, or http with localhost or 127.0.0.1", () => {
  const uris = `
      https://partner.example/callback https://partner.example https://partner.example/
      https://Partner.example:443/Callback https://partner.example:65535/a/b?tenant=1&x=%2F
      https://partner.example/~a/(b)/c;d=e,f/%7Eg https://xn--bcher-kva.example/callback
      https://192.0.2.7/callback https://[2001:db8::1]:8443/callback https://localhost/callback
      http://localhost/callback http://localhost:3000/callback http://localhost
      http://127.0.0.1:1/callback?a=b https://partner.example/${"a".repeat(1976)}`
    .trim()
    .split(/\s+/);
  expect(uris.filter((uri) => redirectUriProblem(uri))).toEqual([]);
});

test("a malformed or unsafe redirect URI is refused with the reason", () => {
  const refused: [string, RegExp][] = [
    ["", /empty/],
    ["/callback", /absolute/],
    ["//partner.example/callback", /absolute/],
    ["https:partner.example", /absolute/],
    ["view-source:https://partner.example/", /absolute/],
    ["https://", /host/],
    ["https:///callback", /host/],
    ["https://:8080/callback", /host/],
    ["http://partner.example/callback", /use https/],
    ["http://localhost.partner.example/callback", /use https/],
    ["http://localhost./callback", /use https/],
    ["http://LOCALHOST/callback", /use https/],
    ["http://127.1/callback", /use https/],
    ["http://0.0.0.0/callback", /use https/],
    ["http://[::1]/callback", /use https/],
    ["https://127.1/callback", /usual form/],
    ["https://[0:0:0:0:0:0:0:1]/callback", /usual form/],
    ["https://a.b/callback\u0000", /characters/],
    ["https://a..b/callback", /host/],
    ["HTTPS://partner.example/callback", /neither/],
    ["javascript:alert(1)", /absolute/],
    ["javascript://partner.example/%0aalert(1)", /neither/],
    ["com.partner.app://callback", /neither/],
    ["https://partner.example/callback#", /fragment/],
    ["https://user:password@partner.example/callback", /user name/],
    ["https://@partner.example/callback", /user name/],
    ["http://localhost:80@evil.example/", /user name/],
    ["https://*.partner.example/callback", /wildcard/],
    ["https://partner.example/*", /wildcard/],
    ["https://partner.example:/callback", /port/],
    ["https://partner.example:0/callback", /port/],
    ["https://partner.example:080/callback", /port/],
    ["https://partner.example:65536/callback", /port/],
    ["https://partner.example:1e3/callback", /port/],
    ["https://partner.example:1:2/callback", /no valid host/],
    ["https://_partner.example/callback", /no valid host/],
    ["https://partner.example/a b", /characters/],
    [" https://partner.example/callback", /characters/],
    ["https://partner.example/callback\n", /characters/],
    ["https://partner.example/call\r\nLocation: x", /characters/],
    ["https://partner.example\\@evil.example/", /characters/],
    ["https://partner.example/<script>", /characters/],
    ['https://partner.example/"', /characters/],
    ["https://pärtner.example/callback", /characters/],
    ["https://partner.example/%zz", /characters/],
    ["https://partner.example/%4", /characters/],
    ["https://partner_.example/callback", /host/],
    ["https://partner%2eexample/callback", /host/],
    ["https://partner.example/a/../callback", /segment/],
    ["https://partner.example/a/%2E%2e/callback", /segment/],
    ["https://partner.example/./callback", /segment/],
    ["https://partner.example/callback?code=1", /'code'/],
    ["https://partner.example/callback?a=b&st%61te=1", /'state'/],
    [`https://partner.example/${"a".repeat(1977)}`, /longer/],
  ];
  for (const [uri, problem] of refused) expect.soft(redirectUriProblem(uri), uri).toMatch(problem);
});

test("a browser that follows an accepted redirect URI reaches the host that is written in it", () => {
  const piece = fc.constantFrom(
    ..."https://",
    ..."localhost127.0.0.1:@/\\?#[]%2e..*&=",
    "http://",
    "https://",
    "localhost",
    "a.example",
    "\u0000",
    "\t",
    "é",
    " ",
  );
  const uris = fc.oneof(
    fc.array(piece, { maxLength: 30 }).map((pieces) => pieces.join("")),
    fc
      .tuple(fc.constantFrom("http://", "https://"), fc.array(piece, { maxLength: 12 }))
      .map(([scheme, rest]) => scheme + rest.join("")),
    fc.webUrl({ withQueryParameters: true, withFragments: true }),
  );
  fc.assert(
    fc.property(uris, (uri) => {
      if (redirectUriProblem(uri) !== null) return;
      const url = new URL(uri);
      expect(
        url.protocol === "https:" ||
          (url.protocol === "http:" && /^(localhost|127\.0\.0\.1)$/.test(url.hostname)),
      ).toBe(true);
      expect([url.hash, url.username, url.password]).toEqual(["", "", ""]);
      const origin = uri
        .slice(0, uri.indexOf("/", 8) === -1 ? undefined : uri.indexOf("/", 8))
        .replace(/\?.*/, "");
      expect(new URL(origin).origin).toBe(url.origin);
      expect(origin.toLowerCase()).toContain(url.hostname);
      expect(uri).toMatch(/^[\x21-\x7e]*$/);
    }),
    { numRuns: 5000 },
  );
});
