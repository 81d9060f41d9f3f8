import { describe, expect, test } from "vitest";
import { webAddress } from "./client-rules.ts";

describe("a web address that merchants may follow", () => {
  test.each([
    ["https://acme.example", "https://acme.example/"],
    ["  https://Acme.example/About-us? ", "https://acme.example/About-us?"],
    ["HTTPS://acme.example:8443/a#b", "https://acme.example:8443/a#b"],
    ["https://bücher.example/ä", "https://xn--bcher-kva.example/%C3%A4"],
    ["https://acme.example/@acme", "https://acme.example/@acme"],
    ["https://acme.example/?to=a@b", "https://acme.example/?to=a@b"],
  ])("%s is kept as %s", (given, kept) => {
    expect(webAddress(given, "website")).toBe(kept);
  });

  test.each([
    ["", /is empty/],
    ["   ", /is empty/],
    ["acme.example", /is not an https:\/\/ address/],
    ["http://acme.example", /is not an https:\/\/ address/],
    ["javascript:alert(1)", /is not an https:\/\/ address/],
    ["data:text/html,x", /is not an https:\/\/ address/],
    ["https:acme.example", /is not an https:\/\/ address/],
    ["https:///acme.example", /is not an https:\/\/ address/],
    ["https://ada@acme.example", /has a user name or password/],
    ["https://ada:secret@acme.example/", /has a user name or password/],
    ["https://@acme.example/", /has a user name or password/],
    ["https://acme.example\\@evil.example", /is not a valid address/],
    ["https://ac me.example", /is not a valid address/],
    ["https://acme.example/\nX", /is not a valid address/],
    ["https://acme.example/\u202egnp", /is not a valid address/],
    ["https://acme..example", /has a host without a public name/],
    ["https://localhost/", /has a host without a public name/],
    ["https://127.0.0.1/", /has a number for a host/],
    ["https://0x7f.1/", /has a number for a host/],
    ["https://[::1]/", /has a number for a host/],
    [`https://acme.example/${"a".repeat(500)}`, /is longer than 500 characters/],
  ])("%j is refused", (given, problem) => {
    expect(() => webAddress(given, "website")).toThrow(
      expect.objectContaining({ code: "INVALID_WEB_ADDRESS", message: expect.stringMatching(problem) }),
    );
  });
});
