import type { Command } from "commander";
import { say, sayJson } from "../terminal/say.ts";
import { type Printable, print, screenOf } from "../terminal/screen.ts";
import type { Context } from "./context.ts";
import { FailedAnswer } from "./operator-error.ts";

export { fields } from "../terminal/fields.ts";
export { table } from "../terminal/table.ts";

/** What a command found or did. */
export interface Answer {
  /** The one document that `--json` prints. */
  readonly json: unknown;
  /** For people. */
  readonly text: Printable;
  /** What the operator should know in either case; printed on stderr. */
  readonly note?: string | undefined;
  /** Whether it is a failure: exit code 1. Default: no. */
  readonly isFailure?: boolean;
}

/** The options that every command has. */
export interface GlobalOptions {
  readonly json?: boolean;
  readonly wide?: boolean;
}

/** A commander action that prints what `work` returns. `work` gets the operands, then the options. */
export function answer<Arguments extends unknown[]>(
  context: Context,
  work: (...given: Arguments) => Promise<Answer>,
): (this: Command, ...given: Arguments) => Promise<void> {
  return async function show(...given) {
    const { json, text, note, isFailure = false } = await work(...given);
    const { stdout, stderr } = context.terminal;
    if (note) say(stderr, note);
    const options = this.optsWithGlobals<GlobalOptions>();
    const screen = screenOf(context.config, stdout, options.wide);
    if (options.json) sayJson(stdout, json);
    else say(stdout, print(text, screen), screen.colour);
    if (isFailure) throw new FailedAnswer();
  };
}

/** A commander option that may repeat, and whose value may be several, separated by spaces. */
export function collectWords(value: string, previous: readonly string[] = []): string[] {
  return [...previous, ...value.split(" ").filter((word) => word !== "")];
}

/** A commander option that may repeat. */
export function collect(value: string, previous: readonly string[] = []): string[] {
  return [...previous, value];
}
