import { createInterface } from "node:readline";
import { type Command, Option } from "@commander-js/extra-typings";
import type { Actor } from "@partner-connect/audit";
import type { Sql } from "@partner-connect/database";
import type { Config } from "./config.ts";
import { cancelledError, FailedAnswer, UsageError } from "./errors.ts";
import { type Cell, fields, printJson, printText, type Terminal, table } from "./print.ts";
import { findStack, type Stack } from "./stack.ts";
import { wholeNumberParser } from "./values.ts";

export interface Answer {
  /** The one document that `--json` prints. */
  readonly json: unknown;
  readonly text: string;
  /** Printed on stderr, with and without `--json`. */
  readonly note?: string | undefined;
  /** True for exit code 1. Default: false. */
  readonly isFailure?: boolean;
}

export interface OpenStack extends Stack {
  readonly sql: Sql;
  readonly actor: Actor;
}

/** A commander command whose action takes `Given`: the operands, the options, and the command. */
interface Acting<Given extends unknown[]> {
  action(work: (...given: Given) => Promise<void>): unknown;
}

interface DatabaseOptions {
  /** Milliseconds; 0 for no limit. */
  readonly statementTimeout?: number;
}

/** Default limit of a statement in milliseconds. Erasures and writes of survey data have none. */
const STATEMENT_TIMEOUT = 10_000;

/** Time after which Postgres ends an idle transaction: a suspended command would keep its locks. */
const IDLE_IN_TRANSACTION = "60s";

/** The context of every command: the settings, the terminal, and how results are printed. */
export class Cli {
  readonly config: Config;
  readonly terminal: Terminal;
  readonly #json: boolean;

  constructor(config: Config, terminal: Terminal, json: boolean) {
    this.config = config;
    this.terminal = terminal;
    this.#json = json;
  }

  get actor(): Actor {
    return { name: `operator:${this.config.operator}` };
  }

  /** Makes `command` run `work` and print its answer; after a failure it throws {FailedAnswer}. */
  setAction<Given extends unknown[]>(
    command: Acting<Given>,
    work: (...given: Given) => Promise<Answer>,
  ): void {
    command.action(async (...given) => {
      const { json, text, note, isFailure = false } = await work(...given);
      const { stdout, stderr } = this.terminal;
      if (note) printText(stderr, note);
      if (this.#json) printJson(stdout, json);
      else printText(stdout, text);
      if (isFailure) throw new FailedAnswer();
    });
  }

  /** Like {@link setAction}; `work` gets the stack with its open database as the first argument. */
  setSqlAction<Given extends unknown[]>(
    command: Acting<Given>,
    work: (stack: OpenStack, ...given: Given) => Promise<Answer>,
    options?: DatabaseOptions,
  ): void {
    this.setAction(command, (...given) =>
      this.withDatabase((stack) => work(stack, ...given), options),
    );
  }

  /** Runs `work` with the stack's database open. @throws {OperatorError} without a stack */
  async withDatabase<T>(
    work: (stack: OpenStack) => Promise<T>,
    { statementTimeout = STATEMENT_TIMEOUT }: DatabaseOptions = {},
  ): Promise<T> {
    const stack = await findStack(this.config);
    const { stderr } = this.terminal;
    const { connectDatabase } = await import("@partner-connect/database");
    const sql = connectDatabase(stack.databaseUrl, {
      name: "partner-connect",
      connections: 1,
      statementTimeout,
      settings: { idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION },
      onCommit: (record) => {
        // On a terminal, overwrite the line of progress.
        if (stderr.isTTY) stderr.write("\r\x1b[K");
        printJson(stderr, { audit: true, ...record });
      },
    });
    try {
      return await work({ ...stack, sql, actor: this.actor });
    } finally {
      await sql.end({ timeout: 1 });
    }
  }

  /**
   * On a terminal, prints the `effects` of a command and asks for confirmation.
   * @throws {OperatorError} if the operator declines
   */
  async confirm({ yes }: Consent, effects: readonly string[]): Promise<void> {
    if (yes || effects.length === 0 || !canAsk(this.terminal)) return;
    printText(this.terminal.stderr, effects.join("\n"));
    const typed = await ask(this.terminal, "Continue? [y/N] ");
    if (!/^\s*y(es)?\s*$/i.test(typed)) throw cancelledError();
  }

  /**
   * Asks for confirmation of an erasure: the typed `name`, or --yes.
   * @throws {OperatorError} if something else is typed; {UsageError} without a terminal
   */
  async confirmErasure({ yes }: Consent, effects: readonly string[], name: string): Promise<void> {
    if (yes) return;
    if (!canAsk(this.terminal))
      throw new UsageError("it erases data for good, and there is no terminal", "give --yes");
    printText(this.terminal.stderr, effects.join("\n"));
    const typed = await ask(this.terminal, `Type ${name} to continue: `);
    if (typed.trim() !== name) throw cancelledError();
  }
}

function canAsk({ stdin, stderr }: Terminal): boolean {
  return stdin.isTTY === true && stderr.isTTY === true;
}

/**
 * Prints the question on stderr, and returns the line that is typed. @throws {OperatorError} when
 * the operator cancels (Ctrl-C, Ctrl-D)
 */
async function ask({ stdin, stderr }: Terminal, question: string): Promise<string> {
  const reader = createInterface({
    input: stdin,
    output: stderr,
    terminal: true,
    historySize: 0,
    prompt: "",
  });
  stderr.write(question);
  const line = await new Promise<string | null>((resolve) => {
    reader.on("SIGINT", () => resolve(null)).on("close", () => resolve(null));
    reader.on("line", resolve);
  });
  reader.close();
  if (line !== null) return line;
  stderr.write("\n");
  throw cancelledError();
}

export interface Consent {
  readonly yes?: true | undefined;
}

export const CLIENT = ["<client>", "the client's id or whole name"] as const;
export const OF_CLIENT = ["--client <client>", CLIENT[1]] as const;
export const SHOP = ["<shop>", "the shop's id or whole name"] as const;
export const SHOP_OPTION = ["--shop <shop>", SHOP[1]] as const;
export const MERCHANT = ["<merchant>", "the merchant's email or id"] as const;
/** Filters a list of merchants or clients by their state. */
export const STATUS = new Option("--status <status>", "only those in this state").choices([
  "active",
  "disabled",
] as const);
export const YES = ["--yes", "continue without asking"] as const;

interface NewCredential {
  readonly sentence: string;
  /** The credential and its fields, for people. */
  readonly shown: Readonly<Record<string, Cell>>;
  /** Default: `shown`. */
  readonly json?: unknown;
  readonly next: string;
}

/** An answer with a new secret, which can't be shown again. */
export function newSecretAnswer({ sentence, shown, json = shown, next }: NewCredential): Answer {
  return { json, text: `${sentence}\n\n${fields(shown)}\n\n${next} now: it is never shown again.` };
}

/**
 * Adds the command `list` with the options of every list. @param searched the fields that --search
 * matches
 */
export function addList(group: Command, searched: string) {
  const limit = wholeNumberParser("--limit", { min: 1, max: 100_000 });
  return group
    .command("list")
    .option("--limit <count>", "maximum number of entries", limit, 100)
    .option("--after <id>", "continue after the entry with this id")
    .option("--search <text>", `only entries with this text in ${searched}, ignoring case`);
}

interface Asked {
  readonly limit: number;
  readonly after?: string | undefined;
  readonly search?: string | undefined;
}

interface List<Row, Page> {
  readonly read: (page: Page) => Promise<readonly Row[]>;
  /** The field of a row that `--after` takes (default: id). */
  readonly id?: keyof Row;
  readonly json: (row: Row) => unknown;
  readonly head: readonly string[];
  readonly cells: (row: Row) => readonly Cell[];
  /** Printed if there are no rows. */
  readonly none: string;
}

/** An answer with the rows of a page, and a note if others follow. */
export async function listAnswer<Row, Page extends Asked>(
  asked: Page,
  { read, id = "id" as keyof Row, json, head, cells, none }: List<Row, Page>,
): Promise<Answer> {
  const { limit } = asked;
  const found = await read({ ...asked, limit: limit + 1 });
  const shown = found.slice(0, limit);
  const note =
    found.length > limit
      ? `note: there are more; continue with --after ${shown.at(-1)?.[id]}`
      : undefined;
  return { json: shown.map(json), text: table(head, shown.map(cells), none), note };
}
