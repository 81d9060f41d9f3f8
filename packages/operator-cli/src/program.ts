import { Command, CommanderError, type CommandUnknownOpts } from "@commander-js/extra-typings";
import { Cli } from "./cli.ts";
import { readConfig, VERSION } from "./config.ts";
import { explain, explainUsage, FailedAnswer, type Failure, UsageError } from "./errors.ts";
import { printJson, printText, type Terminal } from "./print.ts";

/** 0 if the command is done, 1 if it was refused or failed, 2 if the command line is wrong. */
export type ExitCode = 0 | 1 | 2;

/** A module that adds commands to `group`, which program.ts has named and described. */
export interface Commands {
  readonly default: (group: Command, cli: Cli) => void;
  /** Command lines for the end of the group's `--help`. */
  readonly EXAMPLES: string;
}

/** Each group of commands with its description, in the order of --help. */
const GROUPS = {
  merchant: "The people who sign in and connect their shops",
  shop: "Merchants' shops and their plans",
  client: "Partners' apps: their scopes, redirect URIs and secrets",
  partner: "Members of clients, who see the client's partner pages",
  "api-key": "API keys: a merchant's own access to the API, for one shop",
  "product-key": "Keys of the survey product for the internal API",
  connection: "Connections of clients with shops",
  webhook: "Partners' webhook endpoints",
  job: "Jobs of the worker and the back office that failed for good",
  question: "The questions that shops ask",
  response: "The survey responses that partners read",
  keys: "The keys that sign access tokens, and their rotation",
  audit: "The log of what operators, merchants, clients and the system did",
  migrate: "Bring the database to this release's schema",
  doctor: "Check the whole system, and suggest a remedy for each problem",
};

/** The loader of each group's commands. Only the group that runs is loaded. */
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
The commands use the database that DATABASE_URL names or, without it, the local stack in DATA_DIR (default: .data).
In a clone, run it as: npx pnpm@12 -s partner-connect …

From nothing to a partner's first request:
  $ partner-connect merchant create --email anna@shop.example --name Anna
  $ partner-connect shop create --name Hats --owner anna@shop.example
  $ partner-connect client create --name 'Acme Analytics' --redirect-uri https://acme.example/callback --scope responses:read

Give a SHOP or CLIENT by its id or whole name, and a MERCHANT by the email or id.
'partner-connect <command> --help' shows examples. Exit codes: 0 done, 1 refused or failed, 2 wrong command line.`;

/** Runs a command line and returns the exit code. If it fails, prints the reason on stderr. */
export async function run(
  commandLine: readonly string[],
  terminal: Terminal,
  variables?: Readonly<Record<string, string | undefined>>,
): Promise<ExitCode> {
  let problem = "";
  const json = commandLine.includes("--json");
  const print = (failure: Failure): void => {
    const { message, hint } = failure;
    if (json) printJson(terminal.stderr, failure);
    else printText(terminal.stderr, `partner-connect: ${hint ? `${message}; ${hint}` : message}`);
  };
  try {
    const cli = new Cli(readConfig(variables), terminal, json);
    const program = await createProgram(commandLine, cli);
    configureCommander(program, terminal, (text) => {
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
    // Without a subcommand commander writes the help, which is printed unchanged.
    if (error.code !== "commander.help") print(explainUsage(error, problem));
    else if (json) print({ error: "USAGE", message: "a command is missing", hint: "see --help" });
    else printText(terminal.stderr, problem.trimEnd());
    return 2;
  }
}

async function createProgram(
  commandLine: readonly string[],
  cli: Cli,
): Promise<CommandUnknownOpts> {
  const program = new Command("partner-connect")
    .description(
      "Operate Partner Connect: merchants, clients, connections, and the data that clients read.",
    )
    .version(VERSION, "--version", "print the version")
    .option("--json", "print one JSON document, for scripts; an error is one on stderr")
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
 * Makes commander throw instead of ending the process, write to `terminal`, and end each error with
 * the command's `--help`.
 */
function configureCommander(
  command: CommandUnknownOpts,
  terminal: Terminal,
  writeErr: (text: string) => void,
): void {
  command
    .exitOverride()
    .configureOutput({ writeOut: (text) => terminal.stdout.write(text), writeErr })
    .configureHelp(command.configureHelp())
    .showHelpAfterError(`see '${commandPath(command)} --help'`);
  for (const child of command.commands) configureCommander(child, terminal, writeErr);
}

function commandPath(command: { readonly parent: unknown; name(): string }): string {
  const parent = command.parent as typeof command | null;
  return parent ? `${commandPath(parent)} ${command.name()}` : command.name();
}
