import { describe, expect, test } from "vitest";
import { grantableScope, parseScope } from "./scope.ts";

describe("scope", () => {
  test("a scope parameter is space-delimited and each value counts once [scope.space-delimited]", () => {
    expect(parseScope("responses:read sources:write responses:read")).toEqual(["responses:read", "sources:write"]);
  });

  test.each(["", " ", " responses:read", "responses:read ", "a  b", "a\tb", "a\nb", 'a"b', "a\\b", "ä"])(
    "%j is not a scope list",
    (scope) => {
      expect(parseScope(scope)).toBeNull();
    },
  );

  test("sources:write needs the advanced attribution plan", () => {
    const both = ["responses:read", "sources:write"];
    expect(grantableScope(both, both, "standard")).toEqual(["responses:read"]);
    expect(grantableScope(both, both, "advanced_attribution")).toEqual(both);
    expect(grantableScope(both, ["responses:read"], "advanced_attribution")).toEqual(["responses:read"]);
    expect(grantableScope(["sources:write"], both, "standard")).toEqual([]);
  });
});
