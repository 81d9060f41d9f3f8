import { type ChildProcess, type ExecFileOptions, execFile } from "node:child_process";
import { PassThrough, Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { run } from "@partner-connect/operator-cli";
import type { StackUnderTest } from "../stack/stacks.ts";

export const CLI = fileURLToPath(
  new URL("../../../packages/operator-cli/src/main.ts", import.meta.url),
);

export interface OperatorOptions {
  readonly stdin?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** The folder of the stack's files. */
type Operated = Pick<StackUnderTest, "dataDir">;

export interface Outcome {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command in this process, to save CPU. `args[0]` may be several words. */
export async function runOperator(
  stack: Operated,
  args: readonly string[],
  options: OperatorOptions = {},
): Promise<Outcome> {
  const [stdin, stdout, stderr] = [
    Readable.from([options.stdin ?? ""]),
    new PassThrough(),
    new PassThrough(),
  ];
  const printed = Promise.all([text(stdout), text(stderr)]);
  const exitCode = await run(wordsOf(args), { stdin, stdout, stderr }, variables(stack, options));
  stdout.end();
  stderr.end();
  const [out, err] = await printed;
  return { exitCode, stdout: out, stderr: err };
}

/** Runs a command in a separate process, as a shell does. */
export function runOperatorProcess(
  stack: Operated,
  args: readonly string[],
  options: OperatorOptions = {},
): Promise<Outcome> {
  const env = variables(stack, options);
  return runToEnd(process.execPath, [CLI, ...wordsOf(args)], { env }, ({ stdin }) =>
    stdin?.end(options.stdin ?? ""),
  );
}

/** Runs a program to its end. `drive` is called with the child process at the start. */
export function runToEnd(
  command: string,
  args: readonly string[],
  options: ExecFileOptions,
  drive: (child: ChildProcess) => void = () => {},
): Promise<Outcome> {
  return new Promise((resolve) => {
    const all = { maxBuffer: 64 * 1024 * 1024, ...options, encoding: "utf8" } as const;
    const child = execFile(command, args, all, (error, stdout, stderr) =>
      resolve({
        exitCode: error === null ? 0 : typeof error.code === "number" ? error.code : -1,
        stdout,
        stderr,
      }),
    );
    drive(child);
  });
}

const wordsOf = ([first = "", ...others]: readonly string[]) => [...first.split(" "), ...others];

function variables(stack: Operated, { env }: OperatorOptions) {
  const { PATH, HOME } = process.env;
  return { PATH, HOME, DATA_DIR: stack.dataDir, ...env };
}

/** Runs a command with `--json`, and returns the document that it prints. */
export async function operator(
  stack: Operated,
  args: readonly string[],
  options?: OperatorOptions,
  // biome-ignore lint/suspicious/noExplicitAny: a document of the command line's contract
): Promise<any> {
  const { exitCode, stdout, stderr } = await runOperator(stack, [...args, "--json"], options);
  if (exitCode === 0) return JSON.parse(stdout);
  throw new Error(`partner-connect ${args.join(" ")}: exit ${exitCode}: ${stderr}`);
}
