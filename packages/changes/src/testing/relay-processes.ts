import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import { relayRounds } from "../relay.ts";
import type { TestFeed } from "./test-feed.ts";

/** Relays without a pause, whatever fails. */
const SCRIPT = `
  const [{ connectDatabase }, { relayRounds }] = await Promise.all([import("@partner-connect/database"), import(process.argv[1])]);
  const sql = connectDatabase(process.argv[2], { name: "relay", connections: 2 });
  const round = relayRounds(sql, { limit: 1 + Math.floor(Math.random() * 1000) });
  for (;;) {
    const done = await round().catch(() => null);
    if (!done?.notes) await new Promise((resolve) => setTimeout(resolve, 20));
  }`;

/** Two processes that relay at once. Each is killed after a while, wherever it is, and another one begins. */
export function startRelays({ notifierUrl, relay }: TestFeed, life: number) {
  let isOver = false;
  let killed = 0;
  async function replace(): Promise<void> {
    while (!isOver) {
      const module = new URL("../relay.ts", import.meta.url).href;
      const args = ["--input-type=module", "--eval", SCRIPT, module, notifierUrl];
      const child = spawn(process.execPath, args, { cwd: import.meta.dirname, stdio: ["ignore", "ignore", "inherit"] });
      const exited = once(child, "exit");
      await Promise.race([pause(200 + Math.random() * life), exited]);
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
    /** Ends them, and relays what is left. */
    async finish(): Promise<void> {
      isOver = true;
      await running;
      const round = relayRounds(relay);
      while ((await round()).notes > 0);
    },
  };
}
