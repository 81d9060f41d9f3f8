import { type Command, CommanderError } from "commander";
import { paint, say, sayJson, screenOf } from "../terminal/screen.ts";
import { readConfig } from "./config.ts";
import { type Context, FailedAnswer, type Terminal, UsageError } from "./context.ts";
import { explain, explainUsage, type Failure } from "./explain.ts";
import { createProgram } from "./program.ts";

/** 0: done. 1: refused, or something failed. 2: the command line is wrong. */
export type ExitCode = 0 | 1 | 2;

/** Runs one command line and returns the exit code; unless it is 0, one line on stderr says why. */
export async function run(
  commandLine: readonly string[],
  terminal: Terminal,
  variables?: Readonly<Record<string, string | undefined>>,
): Promise<ExitCode> {
  let problem = "";
  const hear = (text: string) => {
    problem += text;
  };
  // Commander may fail before it has read the options.
  const json = commandLine.includes("--json");
  try {
    const context = { config: readConfig(variables), terminal };
    const program = createProgram(context);
    prepare(program, context, hear);
    await program.parseAsync(commandLine, { from: "user" });
    return 0;
  } catch (error) {
    if (error instanceof FailedAnswer) return 1;
    if (!(error instanceof CommanderError)) {
      tell(terminal, json, await explain(error));
      return error instanceof UsageError ? 2 : 1;
    }
    if (error.exitCode === 0) return 0;
    // Without a subcommand commander shows the help, which stays as it is.
    if (error.code !== "commander.help") tell(terminal, json, explainUsage(error, problem));
    else if (json) tell(terminal, json, { error: "USAGE", message: "a command is missing", hint: "see --help" });
    else say(terminal.stderr, problem.trimEnd());
    return 2;
  }
}

function tell({ stderr }: Terminal, json: boolean, failure: Failure): void {
  const { message, hint } = failure;
  if (json) sayJson(stderr, failure);
  else say(stderr, `partner-connect: ${hint ? `${message}; ${hint}` : message}`);
}

/** Makes commander throw where it would end the process, and write to `terminal`. Every problem that it tells names its --help. */
function prepare(command: Command, context: Context, hear: (text: string) => void): void {
  const { stdout } = context.terminal;
  const screen = screenOf(context.config, stdout);
  const width = Number.isFinite(screen.width) ? screen.width : 120;
  command
    .exitOverride()
    .configureOutput({
      writeOut: (text) => stdout.write(text),
      writeErr: hear,
      getOutHelpWidth: () => width,
      getErrHelpWidth: () => width,
      getOutHasColors: () => screen.colour,
      getErrHasColors: () => false,
    })
    .configureHelp({ ...command.configureHelp(), styleTitle: (title) => paint(screen, "bold", title) })
    .showHelpAfterError(`see '${path(command)} --help'`);
  for (const child of command.commands) prepare(child, context, hear);
}

function path(command: Command): string {
  return command.parent ? `${path(command.parent)} ${command.name()}` : command.name();
}
