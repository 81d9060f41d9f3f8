import { readdir, readFile } from "node:fs/promises";

/** Linux counts processor time in hundredths of a second, whatever its timer's rate (USER_HZ). */
const TICKS_PER_SECOND = 100;

/** Seconds of CPU (user and system) that the process and its finished children have used, from the operating system. */
export async function cpuSeconds(pid: number): Promise<number> {
  const fields = statFields(await readFile(`/proc/${pid}/stat`, "utf8"));
  const [user, system, childUser, childSystem] = fields.slice(11, 15).map(Number);
  return ((user ?? 0) + (system ?? 0) + (childUser ?? 0) + (childSystem ?? 0)) / TICKS_PER_SECOND;
}

/** The same for the process and its running children, such as Postgres and its backends. */
export async function familyCpuSeconds(pid: number): Promise<number> {
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name)).map(Number);
  const isChild = async (other: number): Promise<boolean> => {
    const stat = await readFile(`/proc/${other}/stat`, "utf8").catch(() => null); // it may have ended
    return stat !== null && Number(statFields(stat)[1]) === pid;
  };
  const children = await Promise.all(pids.map(async (other) => ((await isChild(other)) ? other : [])));
  const used = await Promise.all([pid, ...children.flat()].map((member) => cpuSeconds(member).catch(() => 0)));
  return used.reduce((sum, seconds) => sum + seconds, 0);
}

/** Resident memory of the process in bytes. */
export async function residentBytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? 0) * 1024;
}

/** The fields after the command's name, which is in parentheses and may have spaces. The first field is the state. */
function statFields(stat: string): string[] {
  return stat.slice(stat.lastIndexOf(")") + 2).split(" ");
}
