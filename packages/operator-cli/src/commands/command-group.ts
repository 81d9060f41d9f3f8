import type { Command } from "commander";

/** A command that has only subcommands, such as `client`, with examples of them below its help. */
export function commandGroup(program: Command, name: string, description: string, examples: string): Command {
  return program.command(name).description(description).addHelpText("after", examples);
}
