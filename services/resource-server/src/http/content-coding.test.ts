import { describe, expect, test } from "vitest";
import { chooseCoding } from "./content-coding.ts";

describe("Accept-Encoding", () => {
  test.each([
    // By the client's weights first, then by our order: zstd, br, gzip.
    ["gzip", "gzip"],
    ["GZIP", "gzip"],
    ["gzip, deflate, br, zstd", "zstd"],
    ["gzip, deflate, br", "br"],
    ["br;q=0.5, gzip", "gzip"],
    ["gzip;q=0.001", "gzip"],
    ["zstd;q=0.2, gzip;q=0.3, br;q=0.1", "gzip"],
    ["gzip;q=0, br;q=0.1", "br"],
    ["*;q=0, gzip", "gzip"],
    ["*;q=0.5, br", "br"],
    ["identity;q=0.5, gzip", "gzip"],
    ["identity, gzip", "gzip"],
    ["identity;q=0, gzip;q=0.1", "gzip"],
    ["gzip;;q=0.3,, br;q=0.2,", "gzip"],
  ])("%j has the answer in %s", (header, coding) => {
    expect(chooseCoding(header)).toBe(coding);
  });

  test.each([
    undefined,
    "",
    // Not by name: a client that sends it may know none of ours.
    "*",
    "*;q=0.5, br;q=0",
    "deflate, compress",
    "gzip;q=0",
    "gzip; q = 0",
    "gzip;q=0, *",
    "identity",
    // The client prefers the answer as it is.
    "identity, gzip;q=0.5",
    // Nothing is left that we could send but the answer as it is.
    "identity;q=0",
    "gzip;q=none",
    ',;="\\',
  ])("%j has the answer as it is", (header) => {
    expect(chooseCoding(header)).toBeNull();
  });
});
