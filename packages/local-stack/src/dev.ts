import { once } from "node:events";
import { join } from "node:path";
import { ConfigurationError } from "@partner-connect/service-runtime/environment";
import { readConfig } from "./config.ts";
import { describeDemoData } from "./demo/load-demo-data.ts";
import { followLogs } from "./pretty-log/follow-logs.ts";
import { StartFailure } from "./processes/start-failure.ts";
import { startLocalStack } from "./stack/local-stack.ts";

const say = (line: string) => void process.stdout.write(`${line}\n`);

/** `pnpm dev`: the stack, until `signal` says to end. Returns the exit code. */
export async function dev(signal: AbortSignal): Promise<number> {
  try {
    const config = readConfig();
    const stack = await startLocalStack({ ...config, report: (line) => say(`  ${line}`), signal });
    say(`ready ${stack.state.base_url}`);
    if (stack.demo) say(describeDemoData(stack.demo, stack.state, join(config.dataDir, "demo.json")));
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
