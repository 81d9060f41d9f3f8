import { once } from "node:events";
import { join } from "node:path";
import { ConfigurationError } from "@partner-connect/service-runtime/environment";
import { readConfig } from "./config.ts";
import { describeDemoData } from "./demo/load-demo-data.ts";
import { followLogs } from "./pretty-log/follow-logs.ts";
import { StartFailure } from "./processes/start-failure.ts";
import { type LocalStack, type LocalStackOptions, startLocalStack } from "./stack/local-stack.ts";

const say = (line: string) => void process.stdout.write(`${line}\n`);

export interface DevOptions {
  /** Where DATA_DIR says nothing. Default: .data. */
  readonly dataDir?: string;
  readonly start?: (options: LocalStackOptions) => Promise<LocalStack>;
  readonly notes?: string;
}

/** `pnpm dev`: the stack, until `signal` says to end. Returns the exit code. */
export async function dev(signal: AbortSignal, options: DevOptions = {}): Promise<number> {
  const { start = startLocalStack, notes } = options;
  try {
    const config = readConfig(options.dataDir);
    const stack = await start({ ...config, report: (line) => say(`  ${line}`), signal });
    say(`ready ${stack.state.base_url}`);
    if (stack.demo) say(describeDemoData(stack.demo, stack.state, join(config.dataDir, "demo.json")));
    if (notes) say(notes);
    // For people. A program that reads our output gets what it always got.
    if (process.stdout.isTTY) await followLogs(join(config.dataDir, "logs"), say, signal);
    if (!signal.aborted) await once(signal, "abort");
    say("  stopping");
    await stack.stop();
    return 0;
  } catch (error) {
    if (signal.aborted) return 0;
    // The message of a failed system call says all that matters: which file or folder, and why.
    const expected =
      error instanceof StartFailure || error instanceof ConfigurationError || Object.hasOwn(error as object, "syscall");
    process.stderr.write(`${expected ? (error as Error).message : (error as Error).stack}\n`);
    return 1;
  }
}
