import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { Server } from "./served.ts";

/** A token endpoint to send refreshes to. */
export interface RefreshTarget extends Server {
  readonly name: string;
  readonly clientId: string;
  readonly secret: string;
  readonly refreshTokens: readonly string[];
}

export interface PeerProcess {
  readonly name: string;
  readonly pid: number;
  stop(): void;
}

/** Runs one of the peers as a process of its own. The peer prints its address, as JSON, once it listens. */
export async function startPeer<Place>(name: string, env: Record<string, string>): Promise<PeerProcess & Place> {
  const script = fileURLToPath(new URL(`peers/${name}.ts`, import.meta.url));
  const child = spawn(process.execPath, [script], {
    env: { ...process.env, ...env, NODE_ENV: "production" },
    stdio: ["ignore", "pipe", "ignore"],
  });
  for await (const line of createInterface({ input: child.stdout })) {
    if (!line.startsWith("{")) continue;
    return { name, pid: child.pid as number, ...JSON.parse(line), stop: () => child.kill("SIGKILL") };
  }
  throw new Error(`${name} ended before it listened`);
}
