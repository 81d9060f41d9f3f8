import { Argument, type Command } from "commander";
import type { Context } from "../../run/context.ts";
import { candidates, FILES } from "./candidates.ts";
import { SCRIPTS, SHELLS, type Shell } from "./scripts.ts";

export function addCompletionCommands(program: Command, { terminal }: Context): void {
  program
    .command("completion")
    .description("Print the script that lets a shell complete commands and options on Tab")
    .addArgument(new Argument("<shell>", "the shell that sources it").choices(SHELLS))
    .addHelpText("after", HELP)
    .action((shell: Shell) => {
      terminal.stdout.write(`${SCRIPTS[shell]}\n`);
    });
  program
    .command("complete", { hidden: true })
    .argument("[words...]")
    .action((words: readonly string[]) => {
      const found = candidates(program, words);
      const lines = found === FILES ? [`:${FILES}`] : found.map(({ value, description }) => `${value}\t${description}`);
      terminal.stdout.write(lines.map((line) => `${line}\n`).join(""));
    });
}

const HELP = `
The shell has to know 'partner-connect' as a command. For a clone, define it beside the completion:
  partner-connect() { node /path/to/the/clone/packages/operator-cli/src/main.ts "$@"; }

Examples:
  $ source <(partner-connect completion bash)                                          in ~/.bashrc
  $ source <(partner-connect completion zsh)                                           in ~/.zshrc, after compinit
  $ partner-connect completion fish > ~/.config/fish/completions/partner-connect.fish`;
