import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parse } from "yaml";

const ROOT = new URL("../../", import.meta.url);
const read = (name: string) => readFileSync(new URL(name, ROOT), "utf8");

const EXACT = /^\d+\.\d+\.\d+(?:-[\w.]+)?$/;

test("every dependency has one exact version, or is ours, or the catalog's", () => {
  const manifests = ["package.json", ...globSync("{test,services/*,packages/*}/package.json", { cwd: ROOT })];
  const loose = manifests.flatMap((path) => {
    const { dependencies, devDependencies, optionalDependencies } = JSON.parse(read(path));
    return Object.entries<string>({ ...dependencies, ...devDependencies, ...optionalDependencies })
      .filter(([, version]) => !(EXACT.test(version) || version === "catalog:" || version === "workspace:*"))
      .map(([name, version]) => `${path}: ${name} ${version}`);
  });
  expect(loose).toEqual([]);
  const { catalog, nodeVersion } = parse(read("pnpm-workspace.yaml"));
  expect(Object.entries<string>({ ...catalog, nodeVersion }).filter(([, version]) => !EXACT.test(version))).toEqual([]);
});
