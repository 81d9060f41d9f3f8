import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { unpinnedImages } from "./pinned-images.ts";
import { IMAGES } from "./sbom.ts";

const NAMES = Object.keys(IMAGES);
const DIGEST = `sha256:${"0a".repeat(32)}`;
const image = (name: string, rest: string) => `  - { name: partner-connect/${name}, ${rest} }\n`;

test("an image without a whole digest is not pinned", () => {
  const text = `images:\n${image("operator", `digest: "${DIGEST}"`)}${image("resource-server", "newTag: 0.1.0")}`;
  expect(unpinnedImages(text, NAMES)).toEqual(["authorization-server", "resource-server", "notifier"]);
  expect(unpinnedImages(`images:\n${image("operator", "digest: sha256:0a")}`, ["operator"])).toEqual(["operator"]);
  expect(unpinnedImages("resources: []", ["operator"])).toEqual(["operator"]);
});

test("the example pins nothing, as its registry is none", () => {
  const path = new URL("../kubernetes/example/images/kustomization.yaml", import.meta.url);
  expect(unpinnedImages(readFileSync(path, "utf8"), NAMES)).toEqual(NAMES);
});
