import { describe, expect, test } from "vitest";
import { parseScope } from "./scope.ts";

describe("scope", () => {
  test("a scope parameter is space-delimited and each value counts once", () => {
    expect(parseScope("responses:read sources:write responses:read")).toEqual(["responses:read", "sources:write"]);
  });

  test.each(["", " ", " responses:read", "responses:read ", "a  b", "a\tb", "a\nb", 'a"b', "a\\b", "ä"])(
    "%j is not a scope list",
    (scope) => {
      expect(parseScope(scope)).toBeNull();
    },
  );
});
