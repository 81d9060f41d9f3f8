import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import type { TestFeed } from "./test-feed.ts";

/** Relays without a pause, whatever fails; says when it has begun. */
const SCRIPT = `
  const [{ connectDatabase }, { relayRounds }] = await Promise.all([import("@partner-connect/database"), import(process.argv[1])]);
  const sql = connectDatabase(process.argv[2], { name: "relay", connections: 2 });
  const round = relayRounds(sql, { limit: 1 + Math.floor(Math.random() * 1000) });
  for (;;) {
    const done = await round().catch(() => null);
    process.stdout.write(".");
    if (!done?.notes) await new Promise((resolve) => setTimeout(resolve, 20));
  }`;

/** Two processes that relay at once. Each is killed a while after its first round, wherever it is, and another one begins. */
export function startRelays({ workerUrl }: TestFeed, life: number) {
  let isOver = false;
  let killed = 0;
  async function replace(): Promise<void> {
    while (!isOver) {
      const module = new URL("../relay.ts", import.meta.url).href;
      const args = ["--input-type=module", "--eval", SCRIPT, module, workerUrl];
      const child = spawn(process.execPath, args, { cwd: import.meta.dirname, stdio: ["ignore", "pipe", "inherit"] });
      const exited = once(child, "exit");
      await Promise.race([once(child.stdout, "data"), exited]);
      child.stdout.resume();
      await Promise.race([pause(Math.random() * life), exited]);
      child.kill("SIGKILL");
      await exited;
      killed += 1;
    }
  }
  const running = Promise.all([replace(), replace()]);
  return {
    get killed() {
      return killed;
    },
    async end(): Promise<void> {
      isOver = true;
      await running;
    },
  };
}
