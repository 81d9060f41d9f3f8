import { once } from "node:events";
import { join } from "node:path";

/**
 * Aborted by the first signal. The handlers are installed first, because loading the rest takes a
 * while.
 */
const ending = new AbortController();
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
  process.on(signal, () => ending.abort());
// The terminal may be closed before the stack has ended.
process.stdout.on("error", () => ending.abort());

const say = (line: string) => void process.stdout.write(`${line}\n`);

/** `pnpm dev`: runs the stack until a signal comes. */
async function dev(signal: AbortSignal): Promise<void> {
  const { readConfig } = await import("./config.ts");
  const { startLocalStack } = await import("./local-stack.ts");
  const { describeDemoData } = await import("./demo.ts");
  const config = readConfig();
  const stack = await startLocalStack({ ...config, report: (line) => say(`  ${line}`), signal });
  const { base_url, internal_api_url } = stack.state;
  const demo = stack.demo
    ? [describeDemoData(stack.demo, stack.state, join(config.dataDir, "demo.json"))]
    : [];
  // One write, so that a program that reads the first line has the credentials too.
  say(
    [`ready ${base_url}`, `  internal API ${internal_api_url}/internal/openapi.json`, ...demo].join(
      "\n",
    ),
  );
  if (!signal.aborted) await once(signal, "abort");
  say("  stopping");
  await stack.stop();
}

await dev(ending.signal).catch((error: Error & { code?: string }) => {
  if (ending.signal.aborted) return;
  // These messages need no stack trace: they name the file or folder, and the cause.
  const isExpected =
    ["START_FAILURE", "CONFIGURATION"].includes(error.code ?? "") ||
    Object.hasOwn(error, "syscall");
  process.stderr.write(`${isExpected ? error.message : error.stack}\n`);
  process.exitCode = 1;
});
