import { readFileSync } from "node:fs";
import { TABLES } from "./rows.ts";
import { readAllTestTitles, type TestTitle } from "./test-titles.ts";

export const README = new URL("../README.md", import.meta.url);

const TABLES_IN_README = /(?<=<!-- pnpm spec-map writes from here -->\n)[\s\S]*(?=<!-- to here -->\n)/;

/** test/README.md with the tables as the rows and the tests' titles say now. */
export function renderReadme(): string {
  const readme = readFileSync(README, "utf8");
  if (!TABLES_IN_README.test(readme)) throw new Error("test/README.md has lost the comments that enclose the tables");
  return readme.replace(TABLES_IN_README, () => renderTables(readAllTestTitles()));
}

/** An id that stands in several rows has its tests in the first of them. */
function renderTables(tests: TestTitle[]): string {
  const shown = new Set<string>();
  const renderRow = ([promise, ...ids]: string[]): string => {
    const own = tests.filter((test) => test.ids.some((id) => ids.includes(id) && !shown.has(id)));
    for (const id of ids) shown.add(id);
    const names = ids.map((id) => `\`${id}\``).join(" ");
    return `| ${promise} | ${names} | ${own.length > 0 ? renderTests(own) : "see above"} |\n`;
  };
  return TABLES.map(
    ({ heading, rows }) => `\n${heading}\n\n| promise | ids | tests |\n|---|---|---|\n${rows.map(renderRow).join("")}`,
  )
    .join("")
    .concat("\n");
}

function renderTests(tests: TestTitle[]): string {
  const byPath = Map.groupBy(tests, ({ path }) => path.replace(/^test\//, ""));
  return [...byPath]
    .map(([path, of]) => `\`${path}\` ${of.map(({ title }) => `"${title.replaceAll("|", "\\|")}"`).join(", ")}`)
    .join("; ");
}
