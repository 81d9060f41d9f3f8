import { createConfig, lintFromString } from "@redocly/openapi-core";
import { expect, test } from "vitest";
import { servedDocument } from "./served-document.ts";

/** Of Redocly's strictest set, what doesn't hold here, and why. */
const EXCEPT = {
  "info-license": "off", // the system is not licensed to others; the SDK says its own licence
  "operation-2xx-response": "off", // the authorization endpoint only redirects
  "operation-4xx-response": "off", // metadata is for everybody, and takes no parameters
} as const;

test("the document has no mistake that Redocly's strictest rules find", async () => {
  const config = await createConfig({ extends: ["recommended-strict"], rules: EXCEPT });
  const urls = { baseUrl: "https://connect.example.org", apiUrl: "https://api.example.org" };
  const problems = await lintFromString({ source: servedDocument(urls), absoluteRef: "openapi.json", config });
  expect(problems.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer])).toEqual([]);
});
