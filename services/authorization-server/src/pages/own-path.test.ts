import fc from "fast-check";
import { expect, test } from "vitest";
import { ownPath } from "./forms.ts";

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
])("of %j is %j", (text, path) => {
  expect(ownPath(text)).toBe(path);
});

test("whatever comes, the browser stays on this host", () => {
  const piece = fc.constantFrom("/", "\\", ".", "..", "evil.example", "\t", "@", ":", "?", "#", "%2f", "https:");
  const text = fc.oneof(
    fc.array(piece, { maxLength: 8 }).map((pieces) => `/${pieces.join("")}`),
    fc.string(),
  );
  fc.assert(
    fc.property(text, (value) => {
      const path = ownPath(value);
      return path === null || new URL(path, "https://connect.example/oauth/x").origin === "https://connect.example";
    }),
    { numRuns: 2000 },
  );
});
