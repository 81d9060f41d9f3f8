import { expect, test } from "vitest";
import { isSameOrigin } from "./csrf.ts";

const BASE = "https://connect.example";
const post = (origin?: string, secFetchSite?: string, host = "connect.example") => ({ origin, secFetchSite, host });

test.each([
  ["our own page", post(BASE, "same-origin")],
  ["our own page in a browser without fetch metadata", post(BASE)],
  ["a page of the authorization host that the flow began on", post("https://auth.example", undefined, "auth.example")],
  ["our own page in a browser that hides its origin", post("null", "same-origin")],
  ["a client that is no browser", post()],
])("%s may post", (_, from) => {
  expect(isSameOrigin(from, BASE)).toBe(true);
});

test.each([
  ["another site", post("https://evil.example")],
  ["an opaque origin", post("null")],
  ["another scheme", post("http://connect.example")],
  ["another port", post("https://connect.example:8443")],
  ["a look-alike", post("https://connect.example.evil.example")],
  ["a sibling host", post(BASE, "same-site")],
  ["a link from another site", post(undefined, "cross-site")],
  ["an address typed in", post(undefined, "none")],
])("%s may not", (_, from) => {
  expect(isSameOrigin(from, BASE)).toBe(false);
});
