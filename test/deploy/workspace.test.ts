import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const read = (name: string) => readFileSync(new URL(`../../${name}`, import.meta.url), "utf8");

test("pnpm judges packages by the Node that the project brings, so an older one that calls it warns of nothing [dev.no-warnings]", () => {
  const { devDependencies } = JSON.parse(read("package.json"));
  expect(/^nodeVersion: (.*)$/m.exec(read("pnpm-workspace.yaml"))?.[1]).toBe(devDependencies.node);
});

test("pages for developers have the colours of the merchant pages", () => {
  const merchants = read("services/authorization-server/src/merchant-page/assets/merchant-pages.css");
  const [light = "", dark = ""] = merchants.split("@media (prefers-color-scheme: dark)");
  const colourIn = (block: string, name: string) => new RegExp(`--${name}: (#[0-9a-f]+);`).exec(block)?.[1];
  const developers = read("packages/developer-docs/src/look/docs.css");
  const pairs = [...developers.matchAll(/--([\w-]+): light-dark\((#[0-9a-f]+), (#[0-9a-f]+)\);/g)];
  expect(pairs.length).toBeGreaterThan(8);
  for (const [, name = "", ...pair] of pairs) expect([colourIn(light, name), colourIn(dark, name)]).toEqual(pair);
});

test("all packages have the version of the whole", () => {
  const manifests = globSync("{test,services/*,packages/*}/package.json", { cwd: new URL("../../", import.meta.url) });
  const versions = manifests.map((path) => [path, JSON.parse(read(path)).version]);
  expect(versions.length).toBeGreaterThan(10);
  expect(versions).toEqual(manifests.map((path) => [path, JSON.parse(read("package.json")).version]));
});
