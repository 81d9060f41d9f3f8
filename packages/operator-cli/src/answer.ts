import type { Command } from "commander";
import type { Context } from "./context.ts";

/** What a command found or did. */
export interface Answer {
  /** The one document that `--json` prints. */
  readonly json: unknown;
  /** For people. */
  readonly text: string;
  /** What the operator should know in either case; printed on stderr. */
  readonly note?: string | undefined;
}

/** A commander action that prints what `work` returns. `work` gets the operands, then the options. */
export function answer<Arguments extends unknown[]>(
  context: Context,
  work: (...given: Arguments) => Promise<Answer>,
): (this: Command, ...given: Arguments) => Promise<void> {
  return async function print(...given) {
    const { json, text, note } = await work(...given);
    if (note) context.terminal.stderr.write(`${note}\n`);
    const asJson = this.optsWithGlobals<{ json?: boolean }>().json;
    context.terminal.stdout.write(`${asJson ? JSON.stringify(json) : text}\n`);
  };
}

/** One line for each name and value. */
export function fields(values: readonly (readonly [name: string, value: string])[]): string {
  const width = Math.max(...values.map(([name]) => name.length));
  return values.map(([name, value]) => `  ${name.padEnd(width)}  ${value}`).join("\n");
}

/** Rows under a head, in aligned columns; without rows, the text `none`. */
export function table(head: readonly string[], rows: readonly (readonly string[])[], none: string): string {
  if (rows.length === 0) return none;
  const lines = [head, ...rows];
  const widths = head.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  return lines
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

/** A commander option that may repeat, and whose value may be several, separated by spaces. */
export function collectWords(value: string, previous: readonly string[] = []): string[] {
  return [...previous, ...value.split(" ").filter((word) => word !== "")];
}

/** A commander option that may repeat. */
export function collect(value: string, previous: readonly string[] = []): string[] {
  return [...previous, value];
}
