import { startPeer } from "../peer-process.ts";
import type { Server } from "../served.ts";
import type { BenchStack } from "./bench-stack.ts";

export interface NaivePeer {
  readonly server: Server;
  stop(): void;
}

/** The naive peer as a process of its own. */
export async function startNaivePeer({ server }: BenchStack, databaseUrl: string): Promise<NaivePeer> {
  const { url, pid, stop } = await startPeer<{ url: string }>("naive-list", { DATABASE_URL: databaseUrl });
  return { server: { url, pids: { ...server.pids, node: pid } }, stop };
}
