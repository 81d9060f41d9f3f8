import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { matchesRegisteredRedirectUri, redirectUriProblem } from "./registrable-redirect-uri.ts";

describe("registration", () => {
  test.each([
    "https://partner.example/callback",
    "https://partner.example",
    "https://partner.example/",
    "https://Partner.example:443/Callback",
    "https://partner.example:65535/a/b?tenant=1&x=%2F",
    "https://partner.example/~a/(b)/c;d=e,f/%7Eg",
    "https://xn--bcher-kva.example/callback",
    "https://192.0.2.7/callback",
    "https://[2001:db8::1]:8443/callback",
    "https://localhost/callback",
    "http://localhost/callback",
    "http://localhost:3000/callback",
    "http://localhost",
    "http://127.0.0.1:1/callback?a=b",
  ])("takes %s", (uri) => {
    expect(redirectUriProblem(uri)).toBeNull();
  });

  test.each<[string, RegExp]>([
    ["", /empty/],
    ["/callback", /absolute/],
    ["partner.example/callback", /absolute/],
    ["//partner.example/callback", /absolute/],
    ["https:partner.example", /absolute/],
    ["https:/partner.example", /absolute/],
    ["https://", /host/],
    ["https:///callback", /host/],
    ["https://:8080/callback", /host/],
    ["https://?a=b", /host/],
    ["http://partner.example/callback", /use https/],
    ["http://localhost.partner.example/callback", /use https/],
    ["http://localhost./callback", /use https/],
    ["http://LOCALHOST/callback", /use https/],
    ["http://127.0.0.2/callback", /use https/],
    ["http://127.1/callback", /use https/],
    ["http://0.0.0.0/callback", /use https/],
    ["http://[::1]/callback", /use https/],
    ["https://127.1/callback", /usual form/],
    ["https://0x7f000001/callback", /usual form/],
    ["https://[0:0:0:0:0:0:0:1]/callback", /usual form/],
    ["https://a.b/callback\u0000", /characters/],
    ["https://a..b/callback", /host/],
    ["https://.a/callback", /host/],
    ["ftp://partner.example/callback", /neither/],
    ["HTTPS://partner.example/callback", /neither/],
    ["javascript:alert(1)", /absolute/],
    ["javascript://partner.example/%0aalert(1)", /neither/],
    ["data://text/html", /neither/],
    ["com.partner.app://callback", /neither/],
    ["urn:ietf:wg:oauth:2.0:oob", /absolute/],
    ["https://partner.example/callback#", /fragment/],
    ["https://partner.example/callback#a", /fragment/],
    ["https://user@partner.example/callback", /user name/],
    ["https://user:password@partner.example/callback", /user name/],
    ["https://@partner.example/callback", /user name/],
    ["http://localhost:80@evil.example/", /user name/],
    ["https://*.partner.example/callback", /wildcard/],
    ["https://partner.example/*", /wildcard/],
    ["https://partner.example:/callback", /port/],
    ["https://partner.example:0/callback", /port/],
    ["https://partner.example:080/callback", /port/],
    ["https://partner.example:65536/callback", /port/],
    ["https://partner.example:8o/callback", /port/],
    ["https://partner.example:1:2/callback", /host/],
    ["https://partner.example/a b", /characters/],
    [" https://partner.example/callback", /characters/],
    ["https://partner.example/callback\n", /characters/],
    ["https://partner.example/call\r\nLocation: x", /characters/],
    ["https://partner.example/call\tback", /characters/],
    ["https://partner.example\\@evil.example/", /characters/],
    ["https://partner.example/<script>", /characters/],
    ['https://partner.example/"', /characters/],
    ["https://pärtner.example/callback", /characters/],
    ["https://partner.example/%", /characters/],
    ["https://partner.example/%zz", /characters/],
    ["https://partner_.example/callback", /host/],
    ["https://partner%2eexample/callback", /host/],
    ["https://partner.example/a/../callback", /segment/],
    ["https://partner.example/a/%2E%2e/callback", /segment/],
    ["https://partner.example/./callback", /segment/],
    ["https://partner.example/callback?code=1", /'code'/],
    ["https://partner.example/callback?a=b&st%61te=1", /'state'/],
    [`https://partner.example/${"a".repeat(2000)}`, /longer/],
  ])("refuses %j", (uri, problem) => {
    expect(redirectUriProblem(uri)).toMatch(problem);
  });

  test("takes nothing that a browser would send elsewhere than it is written [redirect-uri.https]", () => {
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
          url.protocol === "https:" || (url.protocol === "http:" && /^(localhost|127\.0\.0\.1)$/.test(url.hostname)),
        ).toBe(true);
        expect([url.hash, url.username, url.password]).toEqual(["", "", ""]);
        const origin = uri.slice(0, uri.indexOf("/", 8) === -1 ? undefined : uri.indexOf("/", 8)).replace(/\?.*/, "");
        expect(new URL(origin).origin).toBe(url.origin);
        expect(origin.toLowerCase()).toContain(url.hostname);
        expect(uri).toMatch(/^[\x21-\x7e]*$/);
      }),
      { numRuns: 5000 },
    );
  });
});

describe("matching", () => {
  test.each([
    ["https://partner.example/callback", "https://partner.example/callback"],
    ["http://localhost/callback", "http://localhost/callback"],
    ["http://localhost/callback", "http://localhost:51234/callback"],
    ["http://localhost:3000/callback", "http://localhost:51234/callback"],
    ["http://localhost:3000/callback", "http://localhost/callback"],
    ["http://127.0.0.1:3000/callback?a=b", "http://127.0.0.1:65535/callback?a=b"],
    ["http://localhost", "http://localhost:1"],
    ["http://localhost?a=b", "http://localhost:1?a=b"],
  ])("%s is met by %s", (registered, presented) => {
    expect(matchesRegisteredRedirectUri(registered, presented)).toBe(true);
  });

  test.each([
    ["https://partner.example/callback", "https://partner.example/callback/"],
    ["https://partner.example/callback", "https://partner.example/Callback"],
    ["https://partner.example/callback", "https://PARTNER.example/callback"],
    ["https://partner.example/callback", "https://partner.example:443/callback"],
    ["https://partner.example/callback", "https://partner.example/c%61llback"],
    ["https://partner.example/callback", "https://partner.example/callback?"],
    ["https://partner.example/callback", "https://partner.example/callback#"],
    ["https://partner.example/callback", "http://partner.example/callback"],
    ["https://partner.example:8443/callback", "https://partner.example:8444/callback"],
    ["https://localhost/callback", "https://localhost:8443/callback"],
    ["http://localhost/callback", "https://localhost/callback"],
    ["http://localhost/callback", "http://127.0.0.1/callback"],
    ["http://localhost/callback", "http://[::1]/callback"],
    ["http://localhost/callback", "http://LOCALHOST:80/callback"],
    ["http://localhost/callback", "http://localhost:80/callback/"],
    ["http://localhost/callback", "http://localhost:80/callback?a=b"],
    ["http://localhost/callback", "http://localhost:80/callback#a"],
    ["http://localhost/callback", "http://localhost:/callback"],
    ["http://localhost/callback", "http://localhost:0/callback"],
    ["http://localhost/callback", "http://localhost:080/callback"],
    ["http://localhost/callback", "http://localhost:65536/callback"],
    ["http://localhost/callback", "http://localhost:99999/callback"],
    ["http://localhost/callback", "http://localhost:+80/callback"],
    ["http://localhost/callback", "http://localhost:８０/callback"],
    ["http://localhost/callback", "http://localhost:80@evil.example/callback"],
    ["http://localhost/callback", "http://localhost:80\\@evil.example/callback"],
    ["http://localhost/callback", "http://localhost@evil.example/callback"],
    ["http://localhost/callback", "http://localhost.evil.example/callback"],
    ["http://localhost/callback", "http://localhost:80\r\n/callback"],
    ["http://localhost/callback", "\nhttp://localhost:80/callback"],
    ["http://localhost", "http://localhost/"],
    ["http://localhost", "http://localhost:80/"],
    ["http://localhost/", "http://localhost:80"],
  ])("%s is not met by %j", (registered, presented) => {
    expect(matchesRegisteredRedirectUri(registered, presented)).toBe(false);
  });

  const path = fc
    .array(fc.constantFrom("/", "a", "B", "%2F", ".", "~"), { maxLength: 6 })
    .map((parts) => `/${parts.join("")}`);
  const host = fc.constantFrom("localhost", "127.0.0.1");
  const port = fc.integer({ min: 1, max: 65_535 });

  test("any port on loopback meets any other", () => {
    fc.assert(
      fc.property(host, path, fc.option(port), fc.option(port), (name, rest, one, other) => {
        const uri = (value: number | null) => `http://${name}${value === null ? "" : `:${value}`}${rest}`;
        expect(matchesRegisteredRedirectUri(uri(one), uri(other))).toBe(true);
      }),
    );
  });

  test("one changed character meets nothing, unless it is inside a loopback port [redirect-uri.exact]", () => {
    const registered = fc.oneof(
      fc
        .tuple(fc.constantFrom("https://a.example", "https://a.example:8443", "https://localhost"), path)
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
        if (presented === uri || !matchesRegisteredRedirectUri(uri, presented)) return;
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
});
