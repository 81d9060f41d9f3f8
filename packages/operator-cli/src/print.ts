import type { Readable, Writable } from "node:stream";
import stringWidth from "string-width";

export interface Terminal {
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly stdout: Output;
  readonly stderr: Output;
}

interface Output extends Writable {
  readonly isTTY?: boolean;
  readonly columns?: number;
}

/**
 * Control characters, line separators and direction marks. With them a stored text could control
 * the terminal, or look like another text.
 */
const UNSEEN = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;
const EACH = new RegExp(UNSEEN, "gu");
const RUNS = new RegExp(`${UNSEEN.source}+`, "gu");

/** Replaces each run of invisible characters by a space. */
function replaceInvisible(text: string): string {
  return text.replace(RUNS, " ");
}

/** Prints text for people, and ends the line. Data in the text cannot move the cursor. */
export function printText(output: Writable, text: string): void {
  output.write(`${text.split("\n").map(replaceInvisible).join("\n")}\n`);
}

/** Prints the document on one line. Invisible characters are escaped, which keeps the values. */
export function printJson(output: Writable, document: unknown): void {
  const escaped = (char: string) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`;
  output.write(`${JSON.stringify(document).replace(EACH, escaped)}\n`);
}

export type Cell = string | number | Date | readonly string[] | null | undefined;

function cellText(cell: Cell): string {
  if (cell === null || cell === undefined || cell === "") return "-";
  if (cell instanceof Date) return cell.toISOString();
  return replaceInvisible(typeof cell === "object" ? cell.join(" ") : String(cell));
}

/** Formats aligned rows under a head. Returns the text `none` if there are no rows. */
export function table(head: readonly string[], rows: readonly (readonly Cell[])[], none: string) {
  if (rows.length === 0) return none;
  const lines = [head, ...rows.map((row) => row.map(cellText))];
  const widths = head.map((_, at) =>
    lines.reduce((most, line) => Math.max(most, stringWidth(line[at] ?? "")), 0),
  );
  const padded = (text: string, at: number) =>
    text + " ".repeat((widths[at] ?? 0) - stringWidth(text));
  return lines.map((line) => line.map(padded).join("  ").trimEnd()).join("\n");
}

/** Formats a line for each name and value. */
export function fields(values: Readonly<Record<string, Cell>>): string {
  const width = Math.max(...Object.keys(values).map((name) => name.length));
  return Object.entries(values)
    .map(([name, value]) => `  ${name.padEnd(width)}  ${cellText(value)}`)
    .join("\n");
}

/** '1 response', '1,200 responses' */
export function countOf(count: number, noun: string): string {
  return `${count.toLocaleString("en-US")} ${noun}${count === 1 ? "" : "s"}`;
}

type Snake<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${Snake<Rest>}`
  : "";

/** The named fields of a record, with their names in snake_case: `shopId` becomes `shop_id`. */
export function jsonOf<Row, Name extends keyof Row & string>(row: Row, ...names: readonly Name[]) {
  const snake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return Object.fromEntries(names.map((name) => [snake(name), row[name]])) as {
    [N in Name as Snake<N>]: Row[N];
  };
}
