import type { Command } from "commander";
import type { examples } from "../options/examples.ts";

/** A command that has only subcommands, such as `client`, with examples of them below its help. */
export function commandGroup(
  program: Command,
  name: string,
  description: string,
  shown: ReturnType<typeof examples>,
): Command {
  return program.command(name).description(description).addHelpText("after", shown);
}
