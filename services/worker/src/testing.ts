import { type ChildProcess, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

export interface TestWorker {
  readonly process: ChildProcess;
  /** The exit code. */
  readonly ended: Promise<number | null>;
  readonly output: () => string;
  /** The status of a path on its internal port; 0 if nothing listens there. */
  status(path: string): Promise<number>;
  /** The value of one of its metrics; null if it has none. */
  metric(name: string): Promise<number | null>;
}

/** Starts a replica of the worker or, with `main`, of the back office. */
export async function startWorker(
  databaseUrl: string,
  main = "main.ts",
  env: object = {},
): Promise<TestWorker> {
  const child = spawn(process.execPath, [fileURLToPath(new URL(main, import.meta.url))], {
    env: { DATABASE_URL: databaseUrl, HOST: "127.0.0.1", INTERNAL_PORT: "0", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const { promise: listening, resolve: listens } = Promise.withResolvers<string | null>();
  const { promise: ended, resolve: ends } = Promise.withResolvers<number | null>();
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (data: Buffer) => {
      output += data;
      const port = /"port":(\d+),"msg":"listening"/.exec(output)?.[1];
      if (port) listens(port);
    });
  }
  // At `close` all output of the process has been read.
  child.once("close", (code) => {
    listens(null);
    ends(code);
  });
  const port = await listening;
  const ask = (path: string) => fetch(`http://127.0.0.1:${port}${path}`).catch(() => null);
  return {
    process: child,
    ended,
    output: () => output,
    status: async (path) => (await ask(path))?.status ?? 0,
    async metric(name) {
      const text = (await (await ask("/metrics"))?.text()) ?? "";
      const line = text.split("\n").find((one) => one.startsWith(`${name} `));
      return line === undefined ? null : Number(line.slice(name.length));
    },
  };
}
