import { cpuSeconds, familyCpuSeconds } from "../cpu.ts";

interface StackProcess {
  readonly name: string;
  readonly pid: number;
}

/** Processes that work on the feed, by the beginnings of their names, and the benchmark's own. */
const NAMES = ["authorization-server", "notifier", "postgres", "redis"];
const OWN = "this process (writer and readers)";

export type CpuShares = Readonly<Record<string, number>>;

/** Of one core, what each of the processes used while `work` ran. */
export async function cpuWhile(processes: readonly StackProcess[], work: () => Promise<unknown>): Promise<CpuShares> {
  const used = async (): Promise<CpuShares> => {
    const all: Record<string, number> = { [OWN]: await cpuSeconds(process.pid) };
    for (const name of NAMES) {
      const found = processes.filter((one) => one.name.startsWith(name));
      const each = await Promise.all(found.map(({ pid }) => familyCpuSeconds(pid)));
      all[name] = each.reduce((sum, seconds) => sum + seconds, 0);
    }
    return all;
  };
  const [began, before] = [performance.now(), await used()];
  await work();
  const after = await used();
  const seconds = (performance.now() - began) / 1000;
  return Object.fromEntries(
    Object.keys(before).map((name) => [name, ((after[name] ?? 0) - (before[name] ?? 0)) / seconds]),
  );
}

/** Of the stack's processes alone. */
export function sumOf(shares: CpuShares): number {
  return NAMES.reduce((sum, name) => sum + (shares[name] ?? 0), 0);
}
