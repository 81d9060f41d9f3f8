import { type Command, CommanderError } from "commander";
import { readConfig } from "./config.ts";
import type { Terminal } from "./context.ts";
import { explain } from "./explain.ts";
import { createProgram } from "./program.ts";

/** Runs one command line and returns the exit code: 0, or 1 with one line on stderr. */
export async function run(
  commandLine: readonly string[],
  terminal: Terminal,
  variables?: Readonly<Record<string, string | undefined>>,
): Promise<0 | 1> {
  let problem = "";
  const hear = (text: string) => {
    problem += text;
  };
  try {
    const program = createProgram({ config: readConfig(variables), terminal });
    prepare(program, terminal, hear);
    await program.parseAsync(commandLine, { from: "user" });
    return 0;
  } catch (error) {
    if (!(error instanceof CommanderError)) {
      terminal.stderr.write(`partner-connect: ${await explain(error)}\n`);
      return 1;
    }
    if (error.exitCode === 0) return 0;
    // Without a subcommand commander shows the help, which stays as it is.
    terminal.stderr.write(error.code === "commander.help" ? problem : `partner-connect: ${inOneLine(problem)}\n`);
    return 1;
  }
}

/** Makes commander throw where it would end the process, and write to `terminal`. Every problem that it tells names its --help. */
function prepare(command: Command, terminal: Terminal, hear: (text: string) => void): void {
  command
    .exitOverride()
    .configureOutput({ writeOut: (text) => terminal.stdout.write(text), writeErr: hear })
    .showHelpAfterError(`see '${path(command)} --help'`);
  for (const child of command.commands) prepare(child, terminal, hear);
}

function path(command: Command): string {
  return command.parent ? `${path(command.parent)} ${command.name()}` : command.name();
}

function inOneLine(problem: string): string {
  return problem
    .replace(/^error: /, "")
    .trim()
    .replace(/\.?\n+(?=see )/, "; ")
    .replace(/\s*\n\s*/g, " ");
}
