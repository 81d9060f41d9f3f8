import { styleText } from "node:util";
import type { Config } from "../run/config.ts";
import type { Output } from "../run/context.ts";

export type Screen = ReturnType<typeof screenOf>;

export type Printable = string | ((screen: Screen) => string);

export type Style = Parameters<typeof styleText>[0];

/** What some terminals say that don't know their width. */
const USUAL_WIDTH = 80;

/** @param wide whether the operator asks for everything, however long the lines get */
export function screenOf(config: Pick<Config, "colour">, output: Output, wide = false) {
  const terminal = output.isTTY === true;
  return {
    /** Columns of the terminal; Infinity where no line is cut. */
    width: terminal && !wide ? output.columns || USUAL_WIDTH : Number.POSITIVE_INFINITY,
    /** Times as they are, instead of relative to now. */
    exactTimes: !terminal || wide,
    colour: config.colour ?? terminal,
  };
}

export function print(text: Printable, screen: Screen): string {
  return typeof text === "string" ? text : text(screen);
}

export function paragraphs(...parts: readonly Printable[]): Printable {
  return (screen) => parts.map((part) => print(part, screen)).join("\n\n");
}

export function paint(screen: Screen, style: Style, text: string): string {
  return screen.colour ? styleText(style, text, { validateStream: false }) : text;
}

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
