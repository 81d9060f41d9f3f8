import type { Command } from "commander";
import { say, sayJson } from "../terminal/say.ts";
import { type Printable, print, screenOf } from "../terminal/screen.ts";
import { fields } from "../terminal/table.ts";
import type { Context } from "./context.ts";
import { FailedAnswer } from "./operator-error.ts";

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

export interface NewCredential {
  /** What the command did. */
  readonly sentence: string;
  /** The credential, with the fields that belong to it. */
  readonly shown: readonly (readonly [name: string, value: string])[];
  readonly json: unknown;
  /** What to do with it: "Hand the secret to the partner". */
  readonly next: string;
}

/**
 * The answer of every command that makes a client's secret or an API key (spec: 'the secret is shown once'). No other
 * command can show it, as the database has only its hash.
 */
export function secretShownOnce({ sentence, shown, json, next }: NewCredential): Answer {
  return {
    json,
    text: `${sentence}\n\n${fields(shown)}\n\n${next} now: only its hash is kept, and it is never shown again.`,
  };
}
