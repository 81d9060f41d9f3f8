import { describe, expect, test } from "vitest";
import { webAddress } from "./client-rules.ts";

describe("a web address that merchants may follow", () => {
  test("is kept as a browser writes it", () => {
    const kept = [
      ["https://acme.example", "https://acme.example/"],
      ["  https://Acme.example/About-us? ", "https://acme.example/About-us?"],
      ["HTTPS://acme.example:8443/a#b", "https://acme.example:8443/a#b"],
      ["https://bücher.example/ä", "https://xn--bcher-kva.example/%C3%A4"],
      ["https://acme.example/@acme", "https://acme.example/@acme"],
      ["https://acme.example/?to=a@b", "https://acme.example/?to=a@b"],
    ] as const;
    for (const [given, written] of kept) expect.soft(webAddress(given, "website")).toBe(written);
  });

  test("is refused if it leads to another host than people read", () => {
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
      ["https://localhost/", /has a host without a public name/],
      ["https://127.0.0.1/", /has a number for a host/],
      ["https://[::1]/", /has a number for a host/],
      [`https://acme.example/${"a".repeat(500)}`, /is longer than 500 characters/],
    ];
    for (const [given, problem] of refused) {
      const refusal = expect.objectContaining({
        code: "INVALID_WEB_ADDRESS",
        message: expect.stringMatching(problem),
      });
      expect.soft(() => webAddress(given, "website"), given).toThrow(refusal);
    }
  });
});
