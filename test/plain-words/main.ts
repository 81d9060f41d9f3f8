/**
 * `pnpm lint` runs it: finds phrases in documents and comments that readers had to read twice. It prints each with its place and
 * what to write in its place, and exits with 1 if there is one.
 */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { findPhrases } from "./plain-words.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const kinds = ["*.md", "*.ts", "*.mjs", "*.css", "*.sql", "*.sh", "*.py"];
/** Made from openapi.json, with that document's own sentences. */
const made = ":!packages/partner-sdk/src/records.ts";
const files = execFileSync("git", ["ls-files", ...kinds, made], { cwd: root, encoding: "utf8" });

let found = 0;
for (const file of files
  .trim()
  .split("\n")
  .filter((file) => !file.startsWith("test/plain-words/"))) {
  for (const { line, words, advice } of findPhrases(file, readFileSync(`${root}/${file}`, "utf8"))) {
    console.log(`${file}:${line}: '${words}': ${advice}`);
    found += 1;
  }
}
if (found > 0) console.log(`${found} phrases that are not plain English (CONTRIBUTING.md, 'Plain words')`);
process.exitCode = found > 0 ? 1 : 0;
