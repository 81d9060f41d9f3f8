import { expect, test } from "vitest";
import { ProtectedResources } from "./protected-resource.ts";

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
  expect(new ProtectedResources([API, BASE]).calledAt(host)).toEqual({
    resource: `${url}/api`,
    metadataUrl: `${url}/.well-known/oauth-protected-resource/api`,
  });
});

test("one address may serve everything", () => {
  expect(new ProtectedResources([BASE, BASE]).calledAt("connect.example:8443").resource).toBe(`${BASE}/api`);
});
