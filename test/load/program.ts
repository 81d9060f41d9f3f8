import { execFile } from "node:child_process";
import { promisify } from "node:util";

const run = promisify(execFile);

/** The Debian package of each program that the benchmarks need and npm doesn't have. */
const PACKAGES = { pgbench: "postgresql-contrib", psql: "postgresql-client", wrk: "wrk" } as const;

export type Program = keyof typeof PACKAGES;

/** Makes sure that the programs are on the PATH. As root on Debian or Ubuntu it installs those that are missing. */
export async function needPrograms(programs: readonly Program[], report: (line: string) => void): Promise<void> {
  const missing: Program[] = [];
  for (const program of programs) if (!(await isThere(program))) missing.push(program);
  if (missing.length === 0) return;
  const packages = missing.map((program) => PACKAGES[program]);
  const hint = `needed on PATH: ${missing.join(", ")} (Debian: apt-get install ${packages.join(" ")})`;
  if (process.getuid?.() !== 0 || !(await isThere("apt-get"))) throw new Error(hint);
  report(`apt-get install ${packages.join(" ")}`);
  // RUNLEVEL=1 keeps Debian from starting the services.
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive", RUNLEVEL: "1" };
  await run("apt-get", ["update", "-qq"], { env });
  await run("apt-get", ["install", "-y", "-qq", "--no-install-recommends", ...packages], { env });
}

async function isThere(program: string): Promise<boolean> {
  return await run("which", [program]).then(
    () => true,
    () => false,
  );
}
