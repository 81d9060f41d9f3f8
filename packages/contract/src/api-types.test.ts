import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { API_TYPES_FILE, apiTypes } from "./api-types.ts";

test("the SDK's types of records are what `pnpm openapi` makes from the document", async () => {
  expect(readFileSync(API_TYPES_FILE, "utf8"), "run `pnpm openapi`").toBe(await apiTypes());
});
