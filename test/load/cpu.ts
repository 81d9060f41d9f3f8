import { readFile } from "node:fs/promises";

/** Linux counts processor time in hundredths of a second, whatever its timer's rate (USER_HZ). */
const TICKS_PER_SECOND = 100;

/** Seconds of CPU (user and system) that the process and its finished children have used, from the operating system. */
export async function cpuSeconds(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8");
  // The command's name, in parentheses, may hold spaces.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const [user, system, childUser, childSystem] = fields.slice(11, 15).map(Number);
  return ((user ?? 0) + (system ?? 0) + (childUser ?? 0) + (childSystem ?? 0)) / TICKS_PER_SECOND;
}

/** Resident memory of the process in bytes. */
export async function residentBytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? 0) * 1024;
}
