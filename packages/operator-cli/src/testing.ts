import { PassThrough, Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { suiteDatabase } from "@partner-connect/database/testing/suite";
import { expect } from "vitest";
import { type ExitCode, run } from "./program.ts";

export interface Outcome {
  readonly code: ExitCode;
  readonly stdout: string;
  readonly stderr: string;
}

type Input = string | Iterable<string> | AsyncIterable<string>;

export interface Operator {
  /** Runs `partner-connect` with these words; the first string may contain several. */
  (...words: readonly string[]): Promise<Outcome>;
  /** Runs a command with --json and returns the document; throws if the command is refused. */
  // biome-ignore lint/suspicious/noExplicitAny: a test asserts what it is
  json(...words: readonly string[]): Promise<any>;
  /** Runs a command at a terminal and answers no. Returns stderr; stdout is empty, exit code 1. */
  declined(...words: readonly string[]): Promise<string>;
  /** The same operator, with `input` on stdin. */
  typing(input: Input): Operator;
  /** The same operator at a terminal, so commands can ask. */
  atTerminal(): Operator;
  /** The same operator, with these variables too. */
  with(variables: Readonly<Record<string, string | undefined>>): Operator;
}

interface Keyboard {
  readonly stdin?: Input;
  readonly isTTY?: boolean;
}

/** An operator at a keyboard, in this process: what is printed is what a shell would see. */
export function operator(
  variables: Readonly<Record<string, string | undefined>>,
  keyboard: Keyboard = {},
): Operator {
  const { stdin = "", isTTY = false } = keyboard;
  const call = async (...words: readonly string[]): Promise<Outcome> => {
    const stdout = Object.assign(new PassThrough(), { isTTY });
    const stderr = Object.assign(new PassThrough(), { isTTY });
    const printed = Promise.all([text(stdout), text(stderr)]);
    const source = Object.assign(Readable.from(typeof stdin === "string" ? [stdin] : stdin), {
      isTTY,
    });
    const [first, ...others] = words;
    const all = first === undefined ? [] : [...first.split(" "), ...others];
    const code = await run(all, { stdin: source, stdout, stderr }, variables);
    stdout.end();
    stderr.end();
    const [out, err] = await printed;
    return { code, stdout: out, stderr: err };
  };
  return Object.assign(call, {
    json: async (...words: readonly string[]) => {
      const outcome = await call(...words, "--json");
      if (outcome.code !== 0) throw new Error(outcome.stderr);
      return JSON.parse(outcome.stdout);
    },
    declined: async (...words: readonly string[]) => {
      const outcome = await operator(variables, { stdin: "n\n", isTTY: true })(...words);
      expect([outcome.code, outcome.stdout]).toEqual([1, ""]);
      return outcome.stderr;
    },
    typing: (input: Input) => operator(variables, { ...keyboard, stdin: input }),
    atTerminal: () => operator(variables, { ...keyboard, isTTY: true }),
    with: (more: Readonly<Record<string, string | undefined>>) =>
      operator({ ...variables, ...more }, keyboard),
  });
}

/** The output and exit code of a command that is refused. */
interface Refusal {
  readonly code: ExitCode;
  readonly stdout: "";
  readonly stderr: unknown;
}

/** The expected refusal: an empty stdout, one line on stderr after those of `audited`, exit 1. */
export function refused(
  line: RegExp,
  code: ExitCode = 1,
  audited: readonly string[] = [],
): Refusal {
  const said = `${audited.map(auditLine).join("")}partner-connect: [^\\n]*(?:${line.source})[^\\n]*\\n`;
  const whole = new RegExp(`^${said}$`, line.flags);
  return { code, stdout: "", stderr: expect.stringMatching(whole) };
}

/** All of stderr: a string is an audit record with that action, a RegExp any other text. */
export function stderrOf(...parts: readonly (string | RegExp)[]): unknown {
  const sources = parts.map((part) => (typeof part === "string" ? auditLine(part) : part.source));
  return expect.stringMatching(new RegExp(`^${sources.join("")}$`));
}

const auditLine = (action: string) =>
  `(?:\\r\\x1b\\[K)?\\{"audit":true,"at":"[^"]+","action":"${action}",[^\\n]*\\}\\n`;

/** The refusal of a wrong command line: exit 2. */
export function misused(line: RegExp): Refusal {
  return refused(line, 2);
}

/** An operator on a database of the test file's own. Call it at the top of the file. */
export async function operatorOnOwnDatabase(variables: Readonly<Record<string, string>> = {}) {
  const database = await suiteDatabase();
  const sql = database.connect(database.url, { name: "cli-test" });
  return { database, sql, cli: operator({ DATABASE_URL: database.url, ...variables }) };
}
