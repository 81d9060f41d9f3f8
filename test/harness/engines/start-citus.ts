import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { type CitusStore, type NoCitus, startCitusContainers } from "./citus-container.ts";
import { citusProgram } from "./citus-programs.ts";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));

/**
 * The first of: the cluster that runs at `CITUS_URL` and `CITUS_WORKERS`; one of the program at `CITUS_START`; one in containers.
 * @returns the cluster, or why there is none
 */
export async function startCitusStore(): Promise<CitusStore | NoCitus> {
  const { CITUS_URL: url, CITUS_WORKERS: workers } = process.env;
  if (url && workers) return { url, workers: JSON.parse(workers), stop: async () => {} };
  const program = citusProgram();
  return program ? await startByProgram(program) : await startCitusContainers();
}

async function startByProgram(program: string): Promise<CitusStore | NoCitus> {
  const child = spawn(process.execPath, [program, ROOT], { stdio: ["ignore", "pipe", "pipe"] });
  process.once("exit", () => child.kill("SIGTERM"));
  let said = "";
  child.stderr.on("data", (chunk) => {
    said += chunk;
  });
  const line = await Promise.race([firstLine(child), once(child, "exit").then(() => null)]);
  if (line === null) return { missing: `its program ended: ${said.trim().split("\n")[0]}` };
  const { database_url: url, workers } = JSON.parse(line);
  return {
    url,
    workers,
    async stop() {
      if (child.exitCode !== null) return;
      const ended = once(child, "exit");
      child.kill("SIGTERM");
      await ended;
    },
  };
}

async function firstLine(child: ChildProcess): Promise<string | null> {
  if (!child.stdout) return null;
  for await (const line of createInterface(child.stdout)) return line;
  return null;
}
