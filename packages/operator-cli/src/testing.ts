import { PassThrough, Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { expect } from "vitest";
import { run } from "./run.ts";

export interface Outcome {
  readonly code: 0 | 1;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Operator {
  /** Runs `partner-connect` with these words. */
  (...words: readonly string[]): Promise<Outcome>;
  /** Runs it with --json and returns the document; throws if it is refused. */
  // biome-ignore lint/suspicious/noExplicitAny: a test asserts what it is
  json(...words: readonly string[]): Promise<any>;
  /** The same operator, with this on stdin. */
  typing(input: string | Iterable<string>): Operator;
  /** The same operator, with a terminal as stderr. */
  watching(): Operator;
  /** The same operator, with these variables too. */
  with(variables: Readonly<Record<string, string | undefined>>): Operator;
}

/** An operator at a keyboard, in this process: what is printed is what a shell would see. */
export function operator(
  variables: Readonly<Record<string, string | undefined>>,
  stdin: string | Iterable<string> = "",
  isTTY = false,
): Operator {
  const call = async (...words: readonly string[]): Promise<Outcome> => {
    const [stdout, stderr] = [new PassThrough(), Object.assign(new PassThrough(), { isTTY })];
    const printed = Promise.all([text(stdout), text(stderr)]);
    const source = Readable.from(typeof stdin === "string" ? [stdin] : stdin);
    const code = await run(words, { stdin: source, stdout, stderr }, variables);
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
    typing: (input: string | Iterable<string>) => operator(variables, input, isTTY),
    watching: () => operator(variables, stdin, true),
    with: (more: Readonly<Record<string, string | undefined>>) => operator({ ...variables, ...more }, stdin, isTTY),
  });
}

/** What a refusal looks like: nothing on stdout, one line on stderr, exit 1. */
export function refused(line: RegExp): { code: 1; stdout: ""; stderr: unknown } {
  const whole = new RegExp(`^partner-connect: [^\\n]*(?:${line.source})[^\\n]*\\n$`, line.flags);
  return { code: 1, stdout: "", stderr: expect.stringMatching(whole) };
}
