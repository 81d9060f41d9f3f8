import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { releaseNotes } from "./release-notes.ts";

const CHANGELOG = `# Changelog

Words on top.

## [Unreleased]

## [0.2.0] - 2026-12-24

### Added

- Snow.

### Fixed

- Ice.

## [0.1.0] - 2026-11-22

- Rain.
`;

test("the notes of a release are what stands below its heading, up to the next release", () => {
  expect(releaseNotes(CHANGELOG, "0.2.0")).toBe("### Added\n\n- Snow.\n\n### Fixed\n\n- Ice.");
  expect(releaseNotes(CHANGELOG, "0.1.0")).toBe("- Rain.");
});

test("a version without notes is an error, which says what there is", () => {
  expect(() => releaseNotes(CHANGELOG, "0.3.0")).toThrow(
    "no notes for 0.3.0: the changelog has Unreleased, 0.2.0, 0.1.0",
  );
  expect(() => releaseNotes(CHANGELOG, "0.1")).toThrow("no notes for 0.1:");
  expect(() => releaseNotes(CHANGELOG, "Unreleased")).toThrow("no notes for Unreleased: nothing is said of it yet");
});

test("the version that the project has is in its changelog", () => {
  const read = (name: string) => readFileSync(new URL(`../../${name}`, import.meta.url), "utf8");
  expect(releaseNotes(read("CHANGELOG.md"), JSON.parse(read("package.json")).version)).toMatch(/^### /);
});
