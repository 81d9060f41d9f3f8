/** Aborted by the first signal. The handlers come first, as what is loaded after them takes a while. */
const ending = new AbortController();
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => ending.abort());
// The terminal may be closed before the stack has ended.
process.stdout.on("error", () => ending.abort());

const NOTES = `  A clock of its own:
    pnpm -s partner-connect sandbox now
    pnpm -s partner-connect sandbox advance 31d
    pnpm -s partner-connect sandbox triggers
`;

const { dev } = await import("@partner-connect/local-stack");
const { startSandbox } = await import("./start-sandbox.ts");
process.exitCode = await dev(ending.signal, { dataDir: ".data/sandbox", start: startSandbox, notes: NOTES });
