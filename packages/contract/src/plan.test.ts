import { expect, test } from "vitest";
import { grantableScope } from "./scope.ts";

test("sources:write needs the advanced attribution plan", () => {
  const both = ["responses:read", "sources:write"];
  expect(grantableScope(both, both, "standard")).toEqual(["responses:read"]);
  expect(grantableScope(both, both, "advanced_attribution")).toEqual(both);
  expect(grantableScope(both, ["responses:read"], "advanced_attribution")).toEqual(["responses:read"]);
  expect(grantableScope(["sources:write"], both, "standard")).toEqual([]);
});
