import { readdir, readFile } from "node:fs/promises";
import { expect, test } from "vitest";

const PATCHES = new URL("../../../../patches/", import.meta.url);

/** How the patch that pnpm applies is made of the small ones: pnpm takes one file for a package. */
const MADE_BY = "cat patches/postgres/*.patch > patches/postgres@3.4.9.patch";

test("the patch of postgres.js is the sum of its small patches [driver.changes]", async () => {
  const names = (await readdir(new URL("postgres/", PATCHES))).toSorted();
  const small = await Promise.all(names.map((name) => readFile(new URL(`postgres/${name}`, PATCHES), "utf8")));
  expect(await readFile(new URL("postgres@3.4.9.patch", PATCHES), "utf8"), MADE_BY).toBe(small.join(""));
});

test("each small patch says what it does and where it stands upstream, and has a test named after it", async () => {
  const names = (await readdir(new URL("postgres/", PATCHES))).toSorted();
  const tests = await readdir(new URL(".", import.meta.url));
  for (const name of names) {
    const [header] = (await readFile(new URL(`postgres/${name}`, PATCHES), "utf8")).split("diff --git");
    expect(header, name).toMatch(/^\S.+\n\n[\s\S]+\nUpstream: /);
    expect(tests).toContain(name.replace(/^\d\d-(.+)\.patch$/, "$1.test.ts"));
  }
  expect(names.length).toBeGreaterThan(0);
});
