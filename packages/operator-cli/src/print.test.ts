import { expect, test } from "vitest";
import { fields, table } from "./print.ts";

test("a table stays aligned with wide characters, line breaks and nulls", () => {
  const rows = [
    ["con_1", "株式会社", new Date(0)],
    ["con_22", "A\nB", null],
  ];
  expect(table(["ID", "CLIENT", "AT"], rows, "none")).toBe(
    [
      "ID      CLIENT    AT",
      "con_1   株式会社  1970-01-01T00:00:00.000Z",
      "con_22  A B       -",
    ].join("\n"),
  );
  expect(table(["ID"], [], "There are none.")).toBe("There are none.");
});

test("each field is printed on one line", () => {
  expect(fields({ id: "con_1", "last used": null })).toBe("  id         con_1\n  last used  -");
});
