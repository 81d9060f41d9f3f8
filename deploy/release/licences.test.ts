import { expect, test } from "vitest";
import { licenceProblems } from "./licences.ts";
import { IMAGES, type ImageName, isOurs, sbom } from "./sbom.ts";

test.each(Object.keys(IMAGES) as ImageName[])(
  "what the image %s installs has an allowed licence and a hash",
  { timeout: 60_000 },
  async (name) => {
    const bill = await sbom(name);
    expect(bill.components.length).toBeGreaterThan(50);
    expect(licenceProblems(bill)).toEqual([]);
    const foreign = bill.components.filter((component) => !isOurs(component));
    const unhashed = foreign.filter(
      ({ externalReferences = [] }) => !externalReferences.some(({ hashes }) => hashes?.length),
    );
    expect(unhashed.map(({ purl }) => purl)).toEqual([]);
    const forTests = ["typescript", "vitest", "@biomejs", "playwright-core", "node"];
    expect(bill.components.filter((component) => forTests.includes(component.name))).toEqual([]);
  },
);

test("a licence that asks for more, and one that nobody knows, are named", () => {
  const component = (name: string, id?: string) => ({
    name,
    version: "1.0.0",
    purl: `pkg:npm/${name}@1.0.0`,
    ...(id && { licenses: [{ license: { id } }] }),
  });
  const components = [
    component("a", "MIT"),
    component("b", "AGPL-3.0-only"),
    component("c"),
    component("sharp-libvips-linux-x64", "LGPL-3.0-or-later"),
    component("sharp-libvips-linux-arm64", "GPL-3.0-only"),
  ];
  expect(licenceProblems({ bomFormat: "CycloneDX", components })).toEqual([
    "b@1.0.0 is under AGPL-3.0-only",
    "c@1.0.0 names no licence",
    "sharp-libvips-linux-arm64@1.0.0 is under GPL-3.0-only",
  ]);
});
