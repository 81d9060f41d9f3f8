import type { AddHelpTextContext, Command } from "commander";
import type { Answer } from "../run/command.ts";
import type { Context } from "../run/context.ts";
import { ask, canAsk, cancelled } from "../terminal/ask.ts";
import { say } from "../terminal/screen.ts";

export interface Consent {
  readonly yes?: boolean | undefined;
  readonly dryRun?: boolean | undefined;
}

export function destructive(command: Command): Command {
  return command
    .option("--yes", "don't ask (where there is no terminal, nothing is asked)")
    .option("--dry-run", "say what it would do, and change nothing");
}

/**
 * Says the `effects` of a command, a sentence each, asks on a terminal whether to go on, and does `work`; at once in a script, or where
 * nothing would change. With --dry-run the answer is the effects. @throws {OperatorError} when the operator says no
 */
export async function carryOut(
  { terminal }: Context,
  { yes, dryRun }: Consent,
  effects: readonly string[],
  work: () => Promise<Answer>,
): Promise<Answer> {
  if (dryRun) {
    const last = effects.length === 0 ? "Nothing would change." : "Nothing was changed (--dry-run).";
    const text = [...effects, last].join("\n");
    return { json: { dry_run: true, effects }, text };
  }
  if (!yes && effects.length > 0 && canAsk(terminal)) {
    say(terminal.stderr, effects.join("\n"));
    const said = await ask(terminal, "Go on? [y/N] ");
    if (!/^\s*y(es)?\s*$/i.test(said ?? "")) throw cancelled();
  }
  return await work();
}

/** A command that has only subcommands, such as `client`, with its examples below the help of each. See {@link examples}. */
export function commandGroup(program: Command, name: string, description: string, all: string): Command {
  return program.command(name).description(description).addHelpText("afterAll", examples(all));
}

/** Help's text: the examples of this command; a group's has all. Each begins with `  $ `, and may go on in the next lines. */
export function examples(all: string): (shown: AddHelpTextContext) => string {
  return ({ command }) => {
    const found = all.split(/\n(?= {2}\$ )/).filter((example) => speaksOf(example.trimEnd(), command));
    return found.length === 0 ? "" : `\nExamples:\n${found.map((example) => example.trimEnd()).join("\n")}`;
  };
}

function speaksOf(example: string, command: Command): boolean {
  return (
    example.startsWith("  $ ") && ` ${example.replace(/\s+/g, " ")} `.includes(` partner-connect ${words(command)} `)
  );
}

function words(command: Command): string {
  return command.parent?.parent ? `${words(command.parent)} ${command.name()}` : command.name();
}
