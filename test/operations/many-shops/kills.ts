import { setTimeout as sleep } from "node:timers/promises";
import type { OwnStack } from "../../harness/stack/stacks.ts";
import type { PartnerProcess } from "./partner-process.ts";

/** The kinds of processes, each with the beginnings of its processes' names. */
const KINDS = {
  "partner's process": /^partner$/,
  "authorization server": /^authorization-server-/,
  "resource server": /^resource-server-\d/,
  notifier: /^notifier-/,
  Postgres: /^postgres$/,
  Redis: /redis$/,
} as const;

const WITHIN_MS = 15_000;

export interface KillsOptions {
  readonly stack: OwnStack;
  readonly partner: PartnerProcess;
  /** Of each kind. */
  readonly times: number;
  readonly random: () => number;
  /** Between a process's return and the next kill. */
  readonly everyMs: number;
}

/** Kills a process of each kind `times` times, in random order, as a machine that fails would: SIGKILL. Returns how many there were. */
export async function killThemAll({
  stack,
  partner,
  times,
  random,
  everyMs,
}: KillsOptions): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  const order = Array.from({ length: times }, () => Object.keys(KINDS) as (keyof typeof KINDS)[])
    .flatMap((kinds) => kinds.map((kind) => [random(), kind] as const))
    .toSorted(([one], [other]) => one - other);
  const running = () => [...stack.now.processes, ...partner.processes()];
  for (const [, kind] of order) {
    await sleep(everyMs * (0.5 + random()));
    const victim = await soon(`a process of ${kind}`, () => {
      const found = running().filter(({ name }) => KINDS[kind].test(name));
      return found[Math.floor(random() * found.length)];
    });
    process.kill(victim.pid, "SIGKILL");
    counts[kind] = (counts[kind] ?? 0) + 1;
    await soon(`another ${victim.name}`, () =>
      running().find(({ name, pid }) => name === victim.name && pid !== victim.pid),
    );
  }
  return counts;
}

async function soon<T>(what: string, find: () => T | undefined): Promise<T> {
  for (const began = Date.now(); ; await sleep(50)) {
    const found = find();
    if (found !== undefined) return found;
    if (Date.now() - began > WITHIN_MS) throw new Error(`there is not ${what} after ${WITHIN_MS / 1000} s`);
  }
}
