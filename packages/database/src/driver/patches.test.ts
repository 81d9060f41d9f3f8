import { readdir, readFile } from "node:fs/promises";
import { expect, test } from "vitest";

const PATCHES = new URL("../../../../patches/", import.meta.url);

/** How the patch that pnpm applies is made of the small ones: pnpm takes one file for a package. */
const MADE_BY = "cat patches/postgres/*.patch > patches/postgres@3.4.9.patch";

const read = (name: string): Promise<string> => readFile(new URL(name, PATCHES), "utf8");
const names = (await readdir(new URL("postgres/", PATCHES))).filter((name) => name.endsWith(".patch")).toSorted();

test("the patch of postgres.js is the sum of its small patches", async () => {
  const small = await Promise.all(names.map((name) => read(`postgres/${name}`)));
  expect(await read("postgres@3.4.9.patch"), MADE_BY).toBe(small.join(""));
});

test("each small patch has a report for upstream with a script, and tests", async () => {
  expect(names.length).toBeGreaterThan(0);
  const tests = await readdir(new URL(".", import.meta.url));
  for (const name of names) {
    const report = await read(`postgres/${name.replace(/\.patch$/, ".md")}`);
    for (const part of ["## What happens", "## How to repeat it\n\n```js", "## The fix"])
      expect(report).toContain(part);
    const named = [...report.matchAll(/`([a-z-]+\.test\.ts)`/g)].map(([, test]) => test);
    expect(named.length, name).toBeGreaterThan(0);
    expect(tests).toEqual(expect.arrayContaining(named));
  }
});
