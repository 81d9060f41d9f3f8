import { readFileSync } from "node:fs";
import { sizingTables } from "./tables.ts";

export const PAGE = new URL("../scaling.md", import.meta.url);

const BEGIN = "<!-- `pnpm sizing` writes from here -->";
const END = "<!-- to here -->";

/** @throws where the text has no place for the tables */
export function writtenPage(text: string): string {
  const [before, rest] = text.split(BEGIN);
  const after = rest?.split(END)[1];
  if (before === undefined || after === undefined) throw new Error(`no place for the tables: ${BEGIN} … ${END}`);
  return `${before}${BEGIN}\n\n${sizingTables()}\n\n${END}${after}`;
}

export const readPage = (): string => readFileSync(PAGE, "utf8");
