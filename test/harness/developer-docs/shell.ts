import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { runToEnd } from "../actors/operator.ts";

const LIMIT_MS = 30_000;

/** Returns a function that runs a block. Variables that a block sets are kept for the next. */
export function openShell(folder: string, env: Readonly<Record<string, string>>) {
  const kept = join(folder, randomUUID());
  const options = { cwd: folder, env: { PATH: process.env["PATH"], ...env }, timeout: LIMIT_MS };
  return (commands: string) => {
    const keep = `unset BASH_EXECUTION_STRING; set -o posix; set | grep -Ev '^(BASH|EUID|PPID|SHELLOPTS|UID)' >${kept}`;
    const text = `[ ! -e ${kept} ] || . ${kept}; set -u\n${commands}\ncode=$?; ${keep}; exit $code`;
    return runToEnd("bash", ["--noprofile", "--norc", "-c", text], options);
  };
}
