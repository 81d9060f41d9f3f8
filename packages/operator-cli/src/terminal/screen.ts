import { styleText } from "node:util";
import type { Config } from "../run/config.ts";
import type { Output } from "../run/context.ts";

/** How text for people is printed: for a terminal's reader, or whole for a file or another program. */
export interface Screen {
  /** Columns of the terminal; Infinity where no line is cut. */
  readonly width: number;
  /** Times as they are, instead of relative to now. */
  readonly exactTimes: boolean;
  readonly colour: boolean;
}

/** Text, or what makes it for a screen. */
export type Printable = string | ((screen: Screen) => string);

export type Style = Parameters<typeof styleText>[0];

/** What some terminals say that don't know their width. */
const USUAL_WIDTH = 80;

/** @param wide whether the operator asks for everything, however long the lines get */
export function screenOf(config: Pick<Config, "colour">, output: Output, wide = false): Screen {
  const terminal = output.isTTY === true;
  return {
    width: terminal && !wide ? output.columns || USUAL_WIDTH : Number.POSITIVE_INFINITY,
    exactTimes: !terminal || wide,
    colour: config.colour ?? terminal,
  };
}

export function print(text: Printable, screen: Screen): string {
  return typeof text === "string" ? text : text(screen);
}

/** The parts below each other, with an empty line between two of them. */
export function paragraphs(...parts: readonly Printable[]): Printable {
  return (screen) => parts.map((part) => print(part, screen)).join("\n\n");
}

export function paint(screen: Screen, style: Style, text: string): string {
  return screen.colour ? styleText(style, text, { validateStream: false }) : text;
}
