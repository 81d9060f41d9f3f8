import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { tarball } from "../packing/tarball.ts";

const FILES: readonly (readonly [string, string])[] = [
  ["package/b.txt", "b".repeat(512)],
  ["package/folder/é.txt", "é"],
  ["package/a.txt", ""],
];
const made = (files: typeof FILES) => tarball(new Map(files.map(([path, text]) => [path, Buffer.from(text)])));

test("tar reads what was packed, in the order of the paths", () => {
  const tar = (...options: string[]) => execFileSync("tar", options, { input: made(FILES), encoding: "utf8" });
  expect(tar("-tz", "--quoting-style=literal").split("\n").slice(0, 3)).toEqual([
    "package/a.txt",
    "package/b.txt",
    "package/folder/é.txt",
  ]);
  for (const [path, text] of FILES) expect(tar("-xzO", path)).toBe(text);
});

test("the same files are the same bytes, and a path that doesn't fit is refused", () => {
  expect(made(FILES.toReversed())).toEqual(made(FILES));
  expect(() => made([["p".repeat(101), ""]])).toThrow("too long");
});
