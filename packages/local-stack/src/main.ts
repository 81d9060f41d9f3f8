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

const USAGE = `Usage: npx pnpm@12 dev

Runs the whole system on this machine until Ctrl-C. Settings are environment variables:

  PORT        the gateway's port (8080; 0: any free port)
  DATA_DIR    the folder with all data and logs (.data)
  DEMO_DATA   0: no demo data and no sample app
  DATABASE_URL, REDIS_URL, RESOURCE_SERVER_REDIS_URL    stores to use instead of own ones
  DATABASE_PASSWORD, REDIS_PASSWORD, RESOURCE_SERVER_REDIS_PASSWORD    their passwords
  AUTHORIZATION_SERVER_REPLICAS, RESOURCE_SERVER_REPLICAS, WORKER_REPLICAS    numbers of processes
  INTERNAL_API_PORT    the internal API's port (the one of the last run)

The services get all other variables: deploy/operations/settings.md.`;

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

const [argument] = process.argv.slice(2);
if (argument === "--help") say(USAGE);
else if (argument !== undefined) {
  process.stderr.write(`unknown argument: ${argument}\n\n${USAGE}\n`);
  process.exitCode = 2;
} else
  await dev(ending.signal).catch((error: Error & { code?: string }) => {
    if (ending.signal.aborted) return;
    // These messages need no stack trace: they name the file or folder, and the cause.
    const isExpected =
      ["START_FAILURE", "CONFIGURATION"].includes(error.code ?? "") ||
      Object.hasOwn(error, "syscall");
    process.stderr.write(`${isExpected ? error.message : error.stack}\n`);
    process.exitCode = 1;
  });
