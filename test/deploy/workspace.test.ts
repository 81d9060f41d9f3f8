import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parse } from "yaml";

const ROOT = new URL("../../", import.meta.url);
const read = (name: string) => readFileSync(new URL(name, ROOT), "utf8");

const EXACT = /^\d+\.\d+\.\d+(?:-[\w.]+)?$/;
const whole = JSON.parse(read("package.json"));
const manifests = [
  ["package.json", whole],
  ...globSync("{test,services/*,packages/*}/package.json", { cwd: ROOT }).map((path) => [path, JSON.parse(read(path))]),
];
const { catalog, nodeVersion } = parse(read("pnpm-workspace.yaml"));

test("every dependency has one exact version, or is ours, or the catalog's", () => {
  const loose = manifests.flatMap(([path, { dependencies, devDependencies, optionalDependencies }]) =>
    Object.entries<string>({ ...dependencies, ...devDependencies, ...optionalDependencies })
      .filter(([, version]) => !(EXACT.test(version) || version === "catalog:" || version === "workspace:*"))
      .map(([name, version]) => `${path}: ${name} ${version}`),
  );
  expect(loose).toEqual([]);
  expect(Object.entries<string>(catalog).filter(([, version]) => !EXACT.test(version))).toEqual([]);
});

test("pnpm judges packages by the Node that the project brings, so an older one that calls it warns of nothing", () => {
  expect(nodeVersion).toBe(whole.devDependencies.node);
});

test("all packages have the version of the whole", () => {
  expect(manifests.length).toBeGreaterThan(10);
  expect(manifests.filter(([, { version }]) => version !== whole.version)).toEqual([]);
});
