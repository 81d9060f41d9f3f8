import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const ROOT = new URL("../../", import.meta.url);
const read = (name: string) => readFileSync(new URL(name, ROOT), "utf8");

/** Each package of the workspace: its folder, and the other packages that it runs with. */
const packages = new Map(
  globSync("{services,packages}/*/package.json", { cwd: ROOT }).map((path) => {
    const { name, dependencies = {} } = JSON.parse(read(path));
    return [name as string, { folder: path.replace("/package.json", ""), uses: Object.keys(dependencies) }];
  }),
);

/** The folders of what deploy/Dockerfile installs for `pnpm --filter "name..."`. */
function installed(name: string, found = new Set<string>()): Set<string> {
  const it = packages.get(name);
  if (it && !found.has(it.folder)) {
    found.add(it.folder);
    for (const other of it.uses) installed(other, found);
  }
  return found;
}

test("the images hold the packages that they run, and no others", () => {
  const filters = [...read("deploy/Dockerfile").matchAll(/--filter "(.+?)\.\.\."/g)].map(([, name = ""]) => name);
  expect(filters).toHaveLength(3);
  const needed = new Set(filters.flatMap((name) => [...installed(name)]));
  const present = [...packages.values()].map(({ folder }) => folder);
  const leftOut = read(".dockerignore")
    .split("\n")
    .filter((line) => present.includes(line));
  expect(leftOut.sort()).toEqual(present.filter((folder) => !needed.has(folder)).sort());
});
