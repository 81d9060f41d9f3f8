import { readFileSync } from "node:fs";
import { createConfig, lintFromString } from "@redocly/openapi-core";
import { expect, test } from "vitest";
import { API_TYPES_FILE, generateApiTypes } from "./api-types.ts";
import { servedDocument } from "./openapi/document.ts";

const RULES = {
  "no-invalid-schema-examples": "error",
  "no-invalid-parameter-examples": "error",
  "parameter-description": "error",
  "operation-description": "error",
  "tag-description": "error",
  "info-license": "off",
  "operation-2xx-response": "off", // the authorization endpoint only redirects
  "operation-4xx-response": "off", // metadata is for everybody, and takes no parameters
} as const;

const URLS = { baseUrl: "https://connect.example.org", apiUrl: "https://api.example.org" };

test("the OpenAPI document passes Redocly's recommended-strict rules", async () => {
  const config = await createConfig({ extends: ["recommended-strict"], rules: RULES });
  const source = servedDocument(URLS);
  const problems = await lintFromString({ source, absoluteRef: "openapi.json", config });
  expect(
    problems.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer]),
  ).toEqual([]);
});

test("the OpenAPI document has the configured hostnames, product name, support URL and license", () => {
  const { info, servers, paths } = JSON.parse(servedDocument(URLS));
  expect(Object.keys(info)).toEqual(["title", "version", "description"]);
  expect(servers).toEqual([{ url: URLS.baseUrl }]);
  expect(paths["/api/responses"].servers).toEqual([{ url: URLS.apiUrl }]);
  expect(paths["/oauth/api/token"].servers).toBeUndefined();
  const supportUrl = "https://connect.example/support";
  const license = { name: "Our terms", url: "https://connect.example/terms" };
  const text = servedDocument({ ...URLS, productName: "Field\\notes", supportUrl, license });
  expect(JSON.parse(text).info).toEqual({
    ...info,
    title: "Field\\notes API",
    contact: { url: supportUrl },
    license,
  });
  expect(text).not.toContain("Partner Connect");
});

test("the SDK's record types are those that `pnpm openapi` generates from the OpenAPI document", async () => {
  expect(readFileSync(API_TYPES_FILE, "utf8"), "run `pnpm openapi`").toBe(await generateApiTypes());
});
