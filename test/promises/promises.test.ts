import { expect, test } from "vitest";
import { TABLES } from "./rows.ts";
import { renderTables } from "./tables.ts";
import { readAllTestTitles, readTestTitles } from "./test-titles.ts";

const tests = readAllTestTitles();
const ids = new Set(TABLES.flatMap(({ rows }) => rows.flatMap(([, ...rowIds]) => rowIds)));

test("every id of a row is in the title of a test", () => {
  const tested = new Set(tests.flatMap((title) => title.ids));
  expect([...ids].filter((id) => !tested.has(id))).toEqual([]);
});

test("every id in a test's title is one of a row", () => {
  const unknown = tests.flatMap(({ path, ids: named }) =>
    named.filter((id) => !ids.has(id)).map((id) => `${path}: [${id}]`),
  );
  expect(unknown).toEqual([]);
});

test("the tests of a promise are found by its id, or by its words", () => {
  const row =
    /\| code: single use \| `code.single-use` \| `test\/e2e\/token\/token-exchange.test.ts` "a code works once/;
  expect(renderTables(tests, "code.single-use")).toMatch(row);
  expect(renderTables(tests, "Single use")).toMatch(row);
  expect(renderTables(tests, "code.single-use")).not.toContain("`scope.enabled`");
  expect(renderTables(tests, "no such words")).toBe("");
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
