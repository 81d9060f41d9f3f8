import { renderTables } from "./tables.ts";
import { readAllTestTitles } from "./test-titles.ts";

// `pnpm spec-map`: each promise with its tests. With an id or some words: those that contain them.
const found = renderTables(readAllTestTitles(), process.argv.slice(2).join(" "));
console.log(found || "no promise has these words; `pnpm spec-map` prints all of them");
process.exitCode = found ? 0 : 1;
