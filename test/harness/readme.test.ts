import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const tests = new URL("../", import.meta.url);
const readme = readFileSync(new URL("README.md", tests), "utf8");

/** Each path in the map with the names of tests after it. */
function references(): { path: string; names: string[] }[] {
  return [...readme.matchAll(/`([^`\s]+\.test\.ts)`((?:,? "[^"]+")*)/g)].map(([, path = "", names = ""]) => ({
    path,
    names: [...names.matchAll(/"([^"]+)"/g)].map(([, name = ""]) => name),
  }));
}

test("every test that the map names is there", () => {
  const missing: string[] = [];
  for (const { path, names } of references()) {
    const file = new URL(/^(services|packages)\//.test(path) ? `../${path}` : path, tests);
    const source = existsSync(file) ? readFileSync(file, "utf8") : "";
    if (source === "") missing.push(path);
    else missing.push(...names.filter((name) => !source.includes(name)).map((name) => `${path}: ${name}`));
  }
  expect(references().length).toBeGreaterThan(100);
  expect(missing).toEqual([]);
});
