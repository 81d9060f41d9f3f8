import { expect, test } from "vitest";
import { calledUrl } from "./protected-resource.ts";

const [API, BASE] = ["https://api.example", "https://connect.example:8443"];

test.each([
  ["api.example", API],
  ["API.example", API],
  ["connect.example:8443", BASE],
  ["connect.example", API],
  ["evil.example", API],
  ["", API],
  ["__proto__", API],
])("a client that called %j gets the configured address %s", (host, url) => {
  expect(calledUrl([API, BASE])(host)).toBe(url);
});
