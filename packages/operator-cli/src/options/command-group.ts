import type { AddHelpTextContext, Command } from "commander";

/** A command that has only subcommands, such as `client`, with its examples below the help of each. See {@link examples}. */
export function commandGroup(program: Command, name: string, description: string, all: string): Command {
  return program.command(name).description(description).addHelpText("afterAll", examples(all));
}

/**
 * The text below a command's help: of all examples of a group, those of this command. The group's own help has them all. Each
 * example begins with `  $ `, and may go on in the next lines.
 */
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

/** 'client create' */
function words(command: Command): string {
  return command.parent?.parent ? `${words(command.parent)} ${command.name()}` : command.name();
}
