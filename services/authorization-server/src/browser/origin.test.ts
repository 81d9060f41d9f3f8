import fc from "fast-check";
import { expect, test } from "vitest";
import { ownPath } from "../pages/forms.ts";
import { mayBeSameOrigin } from "./csrf.ts";

test.each([
  ["/oauth/authorization?request=a.b-c_d", "/oauth/authorization?request=a.b-c_d"],
  ["/oauth/../oauth/connections", "/oauth/connections"],
  ["/oauth/sign-in#x", "/oauth/sign-in"],
  ["oauth/sign-in", null],
  ["//evil.example/", null],
  ["/\\evil.example", null],
  ["/\n/evil.example", null],
  ["/a/..//evil.example", null],
  ["https://this.host/", null],
])("the same-origin path for %j is %j", (text, path) => {
  expect(ownPath(text)).toBe(path);
});

test("a path that is accepted from a form or a URL never leads to another host", () => {
  const piece = fc.constantFrom(
    "/",
    "\\",
    ".",
    "..",
    "evil.example",
    "\t",
    "@",
    ":",
    "?",
    "#",
    "%2f",
    "https:",
  );
  const text = fc.oneof(
    fc.array(piece, { maxLength: 8 }).map((pieces) => `/${pieces.join("")}`),
    fc.string(),
  );
  fc.assert(
    fc.property(text, (value) => {
      const path = ownPath(value);
      return (
        path === null ||
        new URL(path, "https://connect.example/oauth/x").origin === "https://connect.example"
      );
    }),
    { numRuns: 2000 },
  );
});

const BASE = "https://connect.example";
const post = (origin?: string, secFetchSite?: string, host = "connect.example") => ({
  origin,
  secFetchSite,
  host,
});

test.each([
  ["our own page", post(BASE, "same-origin")],
  ["our own page in a browser without fetch metadata", post(BASE)],
  [
    "a page of the authorization host that the flow began on",
    post("https://auth.example", undefined, "auth.example"),
  ],
  ["our own page in a browser that hides its origin", post("null", "same-origin")],
  ["a client that is no browser", post()],
])("a form may be posted by %s", (_, from) => {
  expect(mayBeSameOrigin(from, BASE)).toBe(true);
});

test.each([
  ["another site", post("https://evil.example")],
  ["an opaque origin", post("null")],
  ["an origin with another scheme", post("http://connect.example")],
  ["an origin with another port", post("https://connect.example:8443")],
  ["a look-alike host", post("https://connect.example.evil.example")],
  ["a sibling host", post(BASE, "same-site")],
  ["a page of another site that sends no origin", post(undefined, "cross-site")],
  ["a request that no page initiated", post(undefined, "none")],
])("a form may not be posted by %s", (_, from) => {
  expect(mayBeSameOrigin(from, BASE)).toBe(false);
});
