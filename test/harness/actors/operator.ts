import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { StackUnderTest } from "../stack/stacks.ts";

const CLI = fileURLToPath(new URL("../../../packages/operator-cli/src/main.ts", import.meta.url));

export interface OperatorOptions {
  readonly stdin?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Where the stack's files are, and the command line of its release, if that is not this one. */
export type Operated = Pick<StackUnderTest, "dataDir"> & { readonly cli?: string };

export interface Outcome {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the operator's command line on a stack, as a process of its own, and returns all that it prints. */
export function runOperator(
  stack: Operated,
  args: readonly string[],
  { stdin, env }: OperatorOptions = {},
): Promise<Outcome> {
  const { PATH, HOME } = process.env;
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [stack.cli ?? CLI, ...args],
      { env: { PATH, HOME, DATA_DIR: stack.dataDir, ...env }, maxBuffer: 64 * 1024 * 1024 },
      (error, stdout, stderr) =>
        resolve({ exitCode: error === null ? 0 : typeof error.code === "number" ? error.code : -1, stdout, stderr }),
    );
    child.stdin?.end(stdin ?? "");
  });
}

/** The JSON document that a command prints. */
export async function operator(
  stack: Operated,
  args: readonly string[],
  options?: OperatorOptions,
  // biome-ignore lint/suspicious/noExplicitAny: a document of the command line's contract
): Promise<any> {
  const { exitCode, stdout, stderr } = await runOperator(stack, [...args, "--json"], options);
  if (exitCode !== 0) throw new Error(`partner-connect ${args.join(" ")}: exit ${exitCode}: ${stderr}`);
  return JSON.parse(stdout);
}
