import { join } from "node:path";
import { ConfigurationError, readConfig } from "./config.ts";
import { describeDemoData } from "./demo/describe-demo-data.ts";
import { StartFailure } from "./processes/start-failure.ts";
import { startLocalStack } from "./stack/local-stack.ts";

const say = (line: string) => void process.stdout.write(`${line}\n`);

/** Aborted by the first signal. */
const ending = new AbortController();
// The terminal may go before the stack does.
process.stdout.on("error", () => ending.abort());
const ended = new Promise<void>((resolve) => ending.signal.addEventListener("abort", () => resolve()));
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => ending.abort());

try {
  const config = readConfig();
  const stack = await startLocalStack({ ...config, report: (line) => say(`  ${line}`), signal: ending.signal });
  say(`ready ${stack.state.base_url}`);
  if (stack.demo) say(describeDemoData(stack.demo, stack.state.base_url, join(config.dataDir, "demo.json")));
  await ended;
  say("  stopping");
  await stack.stop();
} catch (error) {
  if (!ending.signal.aborted) {
    const expected = error instanceof StartFailure || error instanceof ConfigurationError;
    process.stderr.write(`${expected ? error.message : (error as Error).stack}\n`);
    process.exitCode = 1;
  }
}
