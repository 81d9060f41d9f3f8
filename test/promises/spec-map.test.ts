import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { README, renderReadme } from "./readme.ts";
import { TABLES } from "./rows.ts";
import { readAllTestTitles, readTestTitles } from "./test-titles.ts";

const ids = new Set(TABLES.flatMap(({ rows }) => rows.flatMap(([, ...rowIds]) => rowIds)));

test("every id of a row is in the title of a test", () => {
  const tested = new Set(readAllTestTitles().flatMap((title) => title.ids));
  expect([...ids].filter((id) => !tested.has(id))).toEqual([]);
});

test("every id in a test's title is one of a row", () => {
  const unknown = readAllTestTitles().flatMap(({ path, ids: named }) =>
    named.filter((id) => !ids.has(id)).map((id) => `${path}: [${id}]`),
  );
  expect(unknown).toEqual([]);
});

test("test/README.md shows the tests as they are: otherwise run 'pnpm spec-map'", () => {
  expect(readFileSync(README, "utf8")).toBe(renderReadme());
});

test("ids are found in titles of tests and groups, and in the rows of a table", () => {
  const source = `
    describe("a code [code.one]", () => {
      test("works once [code.two] [code.three]", { timeout: 1 }, async () => expect("a text [code.no]").toBe(row[code.no]));
      test.skipIf(true)(\`\${50} exchanges | at once [code.four]\`, () => {});
    });
    test.each<[string, string, unknown]>([["state", "missing", null], ["state", "empty [code.five]", ""]])("%s %s", () => {});
    test.each(["a", "b"])("%s is refused [code.six]", () => {});
  `;
  expect(readTestTitles("code.test.ts", source).map(({ title, ids: named }) => [title, ...named])).toEqual([
    ["a code", "code.one"],
    ["works once", "code.two", "code.three"],
    ["… exchanges | at once", "code.four"],
    ["state empty", "code.five"],
    ["%s is refused", "code.six"],
  ]);
});
