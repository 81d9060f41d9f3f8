import { spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort } from "@partner-connect/local-stack";

export interface ReplicaProcess {
  readonly url: string;
  readonly pid: number;
  stop(): void;
}

const READY_MS = 30_000;

/** A resource server of the checkout in `folder`, started as the running one was, but for the variables of `env`. */
export async function startReplica(
  folder: string,
  running: number,
  env: Readonly<Record<string, string>>,
): Promise<ReplicaProcess> {
  const list = async (file: string) => (await readFile(`/proc/${running}/${file}`, "utf8")).split("\0").filter(Boolean);
  const [program = "", ...flags] = (await list("cmdline")).slice(0, -1);
  const known = Object.fromEntries((await list("environ")).map((line) => line.split(/=(.*)/s, 2)));
  const [port, internalPort] = [await freePort(), await freePort()];
  const main = join(folder, "services/resource-server/src/main.ts");
  const child = spawn(program, [...flags, main], {
    env: { ...known, ...env, PORT: String(port), INTERNAL_PORT: String(internalPort) },
    stdio: ["ignore", "inherit", "inherit"],
  });
  for (const began = performance.now(); ; await sleep(100)) {
    const ready = await fetch(`http://127.0.0.1:${internalPort}/readyz`).catch(() => null);
    if (ready?.ok) break;
    if (performance.now() - began > READY_MS || child.exitCode !== null) throw new Error(`${main} does not serve`);
  }
  return { url: `http://127.0.0.1:${port}`, pid: child.pid as number, stop: () => child.kill("SIGKILL") };
}
