import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const read = (name: string) => readFileSync(new URL(`../../${name}`, import.meta.url), "utf8");

test("pnpm judges packages by the Node that the project brings, so an older one that calls it warns of nothing", () => {
  const { devDependencies } = JSON.parse(read("package.json"));
  expect(/^nodeVersion: (.*)$/m.exec(read("pnpm-workspace.yaml"))?.[1]).toBe(devDependencies.node);
});

test("all packages have the version of the whole", () => {
  const manifests = globSync("{test,services/*,packages/*}/package.json", { cwd: new URL("../../", import.meta.url) });
  const versions = manifests.map((path) => [path, JSON.parse(read(path)).version]);
  expect(versions.length).toBeGreaterThan(10);
  expect(versions).toEqual(manifests.map((path) => [path, JSON.parse(read("package.json")).version]));
});
