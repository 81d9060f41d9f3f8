import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { derivedFiles } from "./derived-files.ts";

test.each(derivedFiles().map(({ file, text }) => [file.pathname.split("/packages/")[1], file, text] as const))(
  "%s is what `pnpm openapi` makes from the document",
  (_, file, text) => {
    expect(readFileSync(file, "utf8"), "run `pnpm openapi`").toBe(text);
  },
);
