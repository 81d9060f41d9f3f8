import { expect, test } from "vitest";
import { findPhrases } from "./plain-words.ts";

const lines = (file: string, text: string) => findPhrases(file, text).map(({ line, words }) => `${line} ${words}`);

test("a document is read without its code", () => {
  const text = "Fine.\n\n```sh\nwhoever\n```\n\nSee `whichever`. Also, whoever asks waits.\n";
  expect(lines("guide.md", text)).toEqual(["7 whoever", "7 . Also,"]);
});

test("of code the comments are read, and nothing else", () => {
  expect(lines("a.ts", 'const whoever = "of which";\n/** A door. */\ncall(); // so many `doors`\n')).toEqual([
    "2 door",
    "3 so many",
  ]);
  expect(lines("a.sql", "SELECT 'whoever'; -- it is settled\n")).toEqual(["1 settled"]);
  expect(lines("a.sh", 'echo "whoever"\n# owed\n')).toEqual(["2 owed"]);
  expect(lines("a.css", "/* tenure */ a { b: c }\n")).toEqual(["1 tenure"]);
});
