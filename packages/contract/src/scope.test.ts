import { expect, test } from "vitest";
import {
  grantableScope,
  leastPlan,
  opensPersonalData,
  parseScope,
  SCOPE_TITLES,
  SCOPES,
} from "./scope.ts";

test("a scope parameter is a space-delimited list in which each value counts once", () => {
  expect(parseScope("responses:read sources:write responses:read")).toEqual([
    "responses:read",
    "sources:write",
  ]);
  for (const scope of [
    "",
    " ",
    " responses:read",
    "responses:read ",
    "a  b",
    "a\tb",
    "a\nb",
    'a"b',
    "a\\b",
    "ä",
  ])
    expect([scope, parseScope(scope)]).toEqual([scope, null]);
});

test("sources:write needs the advanced attribution plan", () => {
  const both = ["responses:read", "sources:write"] as const;
  expect(grantableScope(both, both, "standard")).toEqual(["responses:read"]);
  expect(grantableScope(both, both, "advanced_attribution")).toEqual(both);
  expect(leastPlan(both)).toBe("advanced_attribution");
  expect(leastPlan(["responses:read"])).toBe("standard");
  expect(grantableScope(both, ["responses:read"], "advanced_attribution")).toEqual([
    "responses:read",
  ]);
  expect(grantableScope(["sources:write"], both, "standard")).toEqual([]);
});

test("the scope responses:read gives access to personal data, unlike sources:write", () => {
  expect(opensPersonalData(["responses:read", "sources:write"])).toBe(true);
  expect(opensPersonalData(["sources:write"])).toBe(false);
});

test.each(Object.entries(SCOPE_TITLES))("in %s each scope has a title", (_language, titles) => {
  expect(Object.keys(titles)).toEqual(SCOPES);
});
