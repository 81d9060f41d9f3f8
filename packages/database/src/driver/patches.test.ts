import { readdir, readFile } from "node:fs/promises";
import { expect, test } from "vitest";

const PATCHES = new URL("../../../../patches/", import.meta.url);

/** Joins the small patches into the one that pnpm applies, because it takes one per package. */
const MADE_BY = "cat patches/postgres/*.patch > patches/postgres@3.4.9.patch";

const read = (name: string): Promise<string> => readFile(new URL(name, PATCHES), "utf8");

test("the patch of postgres.js is the sum of its small patches", async () => {
  const names = (await readdir(new URL("postgres/", PATCHES)))
    .filter((name) => name.endsWith(".patch"))
    .toSorted();
  const small = await Promise.all(names.map((name) => read(`postgres/${name}`)));
  expect(await read("postgres@3.4.9.patch"), MADE_BY).toBe(small.join(""));
});
