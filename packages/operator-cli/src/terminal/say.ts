import type { Output } from "../run/context.ts";

/** Controls, separators of lines and marks of direction: a stored text could steer the terminal by them, or look like another one. */
const UNSEEN = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;
const EACH = new RegExp(UNSEEN, "gu");
const RUNS = new RegExp(`${UNSEEN.source}+`, "gu");
// biome-ignore lint/suspicious/noControlCharactersInRegex: the beginnings and ends of what paint() colours
const PAINTED = /(\x1b\[(?:[12]|22|3[1-9])m)/;

/** One line of data, in which what is unseen is a space, so that it stays in its place. */
export function visible(text: string): string {
  return text.replace(RUNS, " ");
}

/** Prints text for people, and ends the line. Whatever it quotes, its lines are all that moves the cursor. */
export function say(output: Output, text: string, isPainted = false): void {
  const lines = text.split("\n").map((line) => (isPainted ? paintedLine(line) : visible(line)));
  output.write(`${lines.join("\n")}\n`);
}

/** Prints the document on one line. What is unseen is escaped: the values are the same. */
export function sayJson(output: Output, document: unknown): void {
  const escaped = (char: string) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`;
  output.write(`${JSON.stringify(document).replace(EACH, escaped)}\n`);
}

function paintedLine(line: string): string {
  return line
    .split(PAINTED)
    .map((part, at) => (at % 2 === 1 ? part : visible(part)))
    .join("");
}
