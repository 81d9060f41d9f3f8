import { createConfig, lintFromString } from "@redocly/openapi-core";
import { expect, test } from "vitest";
import { servedDocument } from "./openapi/document.ts";

const RULES = {
  "operation-description": "error",
  "tag-description": "error",
  "operation-2xx-response": "off", // the authorization endpoint only redirects
  "operation-4xx-response": "off", // metadata is for everybody, and takes no parameters
} as const;

test("the document has no mistake that Redocly's strictest recommended rules find", async () => {
  const config = await createConfig({ extends: ["recommended-strict"], rules: RULES });
  const urls = { baseUrl: "https://connect.example.org", apiUrl: "https://api.example.org" };
  const license = { name: "Proprietary", url: "https://connect.example.org/license" };
  const problems = await lintFromString({
    source: servedDocument(urls, { license }),
    absoluteRef: "openapi.json",
    config,
  });
  expect(problems.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer])).toEqual([]);
});
