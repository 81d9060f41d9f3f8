import { Command, CommanderError, type CommandUnknownOpts } from "@commander-js/extra-typings";
import { Cli } from "./cli.ts";
import { readConfig, VERSION } from "./config.ts";
import { explain, explainUsage, FailedAnswer, type Failure, UsageError } from "./errors.ts";
import { say, sayJson, type Terminal } from "./print.ts";

/** 0 if it is done, 1 if it was refused or failed, 2 if the command line is wrong. */
export type ExitCode = 0 | 1 | 2;

/** A module of commands. It adds them to `group`, whose name and description program.ts has. */
export interface Commands {
  readonly default: (group: Command, cli: Cli) => void;
  /** Command lines that show more than the usage does. */
  readonly EXAMPLES: string;
}

/** Each group of commands with its description, in the order of --help. */
const GROUPS = {
  merchant: "The people who sign in and connect their shops",
  shop: "Merchants' shops and their plans",
  client: "Partners' apps: their scopes, redirect URIs and secrets",
  partner: "People of partners, who see the pages of their client",
  "api-key": "API keys: a merchant's own access to the API, for one shop",
  "product-key": "Keys of the survey product for the internal API",
  connection: "Which client is connected to which shop",
  webhook: "Partners' endpoints for hints that a feed has moved",
  job: "Jobs of the worker and the back office that failed for good",
  question: "The questions that shops ask",
  response: "The survey responses that partners read",
  keys: "The keys that sign access tokens, and their rotation",
  audit: "The log of what operators, merchants, clients and the system did",
  migrate: "Bring the database to this release's schema",
  doctor: "Check that everything is as it must be, and say what to do",
};

/** Only the module of the command that runs is loaded. */
const MODULES: Readonly<Record<keyof typeof GROUPS, () => Promise<Commands>>> = {
  merchant: () => import("./commands/merchant.ts"),
  shop: () => import("./commands/shop.ts"),
  client: () => import("./commands/client.ts"),
  partner: () => import("./commands/partner.ts"),
  "api-key": () => import("./commands/api-key.ts"),
  "product-key": () => import("./commands/product-key.ts"),
  connection: () => import("./commands/connection.ts"),
  webhook: () => import("./commands/webhook.ts"),
  job: () => import("./commands/job.ts"),
  question: () => import("./commands/question.ts"),
  response: () => import("./commands/response.ts"),
  keys: () => import("./commands/keys.ts"),
  audit: () => import("./commands/audit.ts"),
  migrate: () => import("./commands/migrate.ts"),
  doctor: () => import("./commands/doctor/doctor.ts"),
};

const HELP = `
The commands work on the database that DATABASE_URL names; without it, on the local stack in DATA_DIR (default: .data).
In a clone, run it as: pnpm -s partner-connect …

From nothing to a partner's first request:
  $ partner-connect merchant create --email anna@shop.example --name Anna
  $ partner-connect shop create --name Hats --owner anna@shop.example
  $ partner-connect client create --name 'Acme Analytics' --redirect-uri https://acme.example/callback --scope responses:read

A SHOP or CLIENT is given by its id or whole name, a MERCHANT by the email or id.
'partner-connect <command> --help' has examples of it. Exit codes: 0 done, 1 refused or failed, 2 a wrong command line.`;

/**
 * Runs one command line and returns the exit code; unless it is 0, one line on stderr has the
 * reason.
 */
export async function run(
  commandLine: readonly string[],
  terminal: Terminal,
  variables?: Readonly<Record<string, string | undefined>>,
): Promise<ExitCode> {
  let problem = "";
  const json = commandLine.includes("--json");
  const print = (failure: Failure): void => {
    const { message, hint } = failure;
    if (json) sayJson(terminal.stderr, failure);
    else say(terminal.stderr, `partner-connect: ${hint ? `${message}; ${hint}` : message}`);
  };
  try {
    const cli = new Cli(readConfig(variables), terminal, json);
    const program = await createProgram(commandLine, cli);
    prepare(program, terminal, (text) => {
      problem += text;
    });
    await program.parseAsync(commandLine, { from: "user" });
    return 0;
  } catch (error) {
    if (error instanceof FailedAnswer) return 1;
    if (!(error instanceof CommanderError)) {
      print(await explain(error));
      return error instanceof UsageError ? 2 : 1;
    }
    if (error.exitCode === 0) return 0;
    // Without a subcommand commander shows the help, which stays as it is.
    if (error.code !== "commander.help") print(explainUsage(error, problem));
    else if (json) print({ error: "USAGE", message: "a command is missing", hint: "see --help" });
    else say(terminal.stderr, problem.trimEnd());
    return 2;
  }
}

async function createProgram(
  commandLine: readonly string[],
  cli: Cli,
): Promise<CommandUnknownOpts> {
  const program = new Command("partner-connect")
    .description(
      "Operate Partner Connect: who may connect, who is connected, and the data they read.",
    )
    .version(VERSION, "--version", "print the release's number")
    .option("--json", "print one JSON document, for scripts; an error too, on stderr")
    .configureHelp({ showGlobalOptions: true })
    .addHelpText("after", HELP);
  const wanted = commandLine.find((word) => !word.startsWith("-"));
  for (const [name, description] of Object.entries(GROUPS)) {
    const group = program.command(name).description(description);
    if (name !== wanted) continue;
    const commands = await MODULES[name as keyof typeof GROUPS]();
    commands.default(group as unknown as Command, cli);
    group.addHelpText("afterAll", `\nExamples:${commands.EXAMPLES}`);
  }
  return program;
}

/**
 * Makes commander throw where it would end the process, and write to `terminal`. Every problem
 * names its --help.
 */
function prepare(
  command: CommandUnknownOpts,
  terminal: Terminal,
  writeErr: (text: string) => void,
): void {
  command
    .exitOverride()
    .configureOutput({ writeOut: (text) => terminal.stdout.write(text), writeErr })
    .configureHelp(command.configureHelp())
    .showHelpAfterError(`see '${path(command)} --help'`);
  for (const child of command.commands) prepare(child, terminal, writeErr);
}

function path(command: { readonly parent: unknown; name(): string }): string {
  const parent = command.parent as typeof command | null;
  return parent ? `${path(parent)} ${command.name()}` : command.name();
}
