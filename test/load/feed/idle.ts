import { setTimeout as sleep } from "node:timers/promises";
import { keepChanging } from "./changes.ts";
import type { FeedClient } from "./connected-clients.ts";
import { caughtUp, type HotClientWorld } from "./hot-client.ts";
import { type CpuShares, cpuWhile } from "./used-cpu.ts";

const PER_SECOND = 1;

export interface IdleRound {
  /** The relay is stopped and nobody waits. */
  readonly without: CpuShares;
  readonly watched: CpuShares;
}

/** What it takes, of a core, to watch the client's connections by one waiting call while there is a change a second. */
export async function idleRound(world: HotClientWorld, client: FeedClient, seconds: number): Promise<IdleRound> {
  const { state, sql } = world;
  const relays = state.processes.filter(({ name }) => name.startsWith("notifier"));
  const signal = (name: NodeJS.Signals) => relays.forEach(({ pid }) => void process.kill(pid, name));
  const measure = async (): Promise<CpuShares> => {
    const changes = keepChanging(sql, client.shopIds, PER_SECOND);
    const cpu = await cpuWhile(state.processes, () => sleep(seconds * 1000));
    await changes.stop();
    return cpu;
  };
  signal("SIGSTOP");
  const without = await measure().finally(() => signal("SIGCONT"));
  await sleep(3000);
  const [reader] = await caughtUp(world, [client]);
  reader?.follow(() => {});
  const watched = await measure();
  await reader?.stop();
  return { without, watched };
}
