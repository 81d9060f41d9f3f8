import { readFileSync } from "node:fs";
import { releaseNotes } from "./release-notes.ts";

const version = process.argv[2];

if (!version || version.startsWith("-")) {
  console.error(
    "Usage: pnpm -s release-notes VERSION\n\nPrints what CHANGELOG.md says of a version, or of Unreleased.",
  );
  process.exitCode = 2;
} else {
  try {
    console.log(releaseNotes(readFileSync(new URL("../../CHANGELOG.md", import.meta.url), "utf8"), version));
  } catch (error) {
    console.error((error as Error).message);
    process.exitCode = 1;
  }
}
