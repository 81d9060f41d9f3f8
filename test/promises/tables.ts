import { TABLES } from "./rows.ts";
import type { TestTitle } from "./test-titles.ts";

/**
 * The promises with the tests that hold them, as Markdown.
 *
 * @param searched the rows with an id or words that contain it; empty for all of them
 */
export function renderTables(tests: readonly TestTitle[], searched: string): string {
  return TABLES.map(({ heading, rows }) => ({ heading, found: rows.filter((row) => isAbout(row, searched)) }))
    .filter(({ found }) => found.length > 0)
    .map(({ heading, found }) => `${heading}\n\n${HEAD}${found.map((row) => renderRow(row, tests)).join("")}`)
    .join("\n");
}

const HEAD = "| promise | ids | tests |\n|---|---|---|\n";

function isAbout(row: readonly string[], searched: string): boolean {
  return row.some((cell) => cell.toLowerCase().includes(searched.toLowerCase()));
}

function renderRow([promise, ...ids]: readonly string[], tests: readonly TestTitle[]): string {
  const own = tests.filter((test) => test.ids.some((id) => ids.includes(id)));
  return `| ${promise} | ${ids.map((id) => `\`${id}\``).join(" ")} | ${renderTests(own)} |\n`;
}

function renderTests(tests: readonly TestTitle[]): string {
  return [...Map.groupBy(tests, ({ path }) => path)]
    .map(([path, of]) => `\`${path}\` ${of.map(({ title }) => `"${title.replaceAll("|", "\\|")}"`).join(", ")}`)
    .join("; ");
}
