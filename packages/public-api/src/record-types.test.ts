import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { RECORD_TYPES_FILE, recordTypes } from "./record-types.ts";

test("the SDK's record types are what `pnpm openapi` makes from the document", () => {
  expect(readFileSync(RECORD_TYPES_FILE, "utf8"), "run `pnpm openapi`").toBe(recordTypes());
});
