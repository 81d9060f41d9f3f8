import { spawn } from "node:child_process";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { removeData } from "@partner-connect/local-stack/testing";
import { runStores } from "./stacks.ts";

const MAIN = fileURLToPath(new URL("../../../packages/local-stack/src/main.ts", import.meta.url));

export interface Dev {
  /** What it has printed, up to the last of the demo credentials. */
  readonly output: string;
  /** Ends it as by Ctrl-C; resolves with its exit code. */
  stop(): Promise<number | null>;
}

/** `pnpm dev` with demo data, on the stores of the run. */
export async function startDev(): Promise<Dev> {
  const [dataDir, stores] = await Promise.all([mkdtemp(join(tmpdir(), "partner-connect-dev-")), runStores()]);
  const { PATH, HOME } = process.env;
  const child = spawn(process.execPath, [MAIN], {
    env: { PATH, HOME, ...stores.env, DATA_DIR: dataDir, PORT: "0" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  const stop = async () => {
    child.kill("SIGINT");
    const code = await ended;
    await stores.drop();
    await removeData(dataDir);
    return code;
  };
  let output = "";
  const ready = new Promise<void>((resolve) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.on("data", (chunk: Buffer) => {
        output += chunk;
        if (/^ready [\s\S]*API key/m.test(output)) resolve();
      });
    }
  });
  await Promise.race([ready, ended]);
  if (child.exitCode !== null) throw new Error(`dev ended with ${await stop()}:\n${output}`);
  return { output, stop };
}
