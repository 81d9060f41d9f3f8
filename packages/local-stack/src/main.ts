/** Aborted by the first signal. The handlers come first, as what is loaded after them takes a while. */
const ending = new AbortController();
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => ending.abort());
// The terminal may be closed before the stack has ended.
process.stdout.on("error", () => ending.abort());

const { dev } = await import("./dev.ts");
process.exitCode = await dev(ending.signal);
