import fastify from "fastify";
import { expect, test } from "vitest";
import { calledUrl, metadataUrl, protectedResourceRoute } from "./protected-resource.ts";

const [API, BASE] = ["https://api.example", "https://connect.example:8443"];

test.each([
  ["api.example", API],
  ["API.example", API],
  ["connect.example:8443", BASE],
  ["connect.example", API],
  ["evil.example", API],
  ["", API],
  ["__proto__", API],
])("for a request to the host %j, the API's address is the configured %s", (host, url) => {
  expect(calledUrl([API, BASE])(host)).toBe(url);
});

test("the protected resource metadata is served at the root and at the path that a 401 links to", async () => {
  const app = fastify();
  const options = { called: calledUrl([API, BASE]), issuer: BASE, productName: "Survey" };
  protectedResourceRoute(app, options);
  for (const url of [
    new URL("/.well-known/oauth-protected-resource", BASE).href,
    metadataUrl(BASE),
  ]) {
    const { headers, ...response } = await app.inject(url);
    expect(headers["cache-control"]).toBe("public, max-age=300");
    expect(response.json()).toEqual({
      resource: `${BASE}/api`,
      authorization_servers: [BASE],
      scopes_supported: ["responses:read", "sources:write"],
      bearer_methods_supported: ["header"],
      resource_name: "Survey API",
      resource_documentation: `${BASE}/docs`,
    });
  }
});
