import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";

export interface Ran {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

const LIMIT_MS = 30_000;

/** A reader's terminal: what one block sets, the next one has. */
export function openShell(cwd: string, env: Readonly<Record<string, string>>) {
  const bash = spawn("bash", ["--noprofile", "--norc", "-u"], { cwd, env: { PATH: process.env["PATH"], ...env } });
  const seen = { stdout: "", stderr: "" };
  bash.stdout.setEncoding("utf8").on("data", (text: string) => {
    seen.stdout += text;
  });
  bash.stderr.setEncoding("utf8").on("data", (text: string) => {
    seen.stderr += text;
  });
  return {
    async run(commands: string): Promise<Ran> {
      seen.stdout = "";
      seen.stderr = "";
      const end = randomUUID();
      bash.stdin.write(`${commands}\nprintf '\\n%s %s\\n' "$?" ${end}; printf '%s\\n' ${end} >&2\n`);
      const started = Date.now();
      // Each of the two streams may come later than the other.
      while (!seen.stdout.includes(`${end}\n`) || !seen.stderr.includes(end)) {
        if (bash.exitCode !== null) return { exitCode: bash.exitCode, ...seen };
        if (Date.now() - started > LIMIT_MS) throw new Error(`no end of: ${commands}\n${seen.stderr}`);
        await sleep(2);
      }
      const [, stdout = "", exitCode] = /^([\s\S]*)\n(\d+) \S+\n$/.exec(seen.stdout) ?? [];
      return { exitCode: Number(exitCode), stdout, stderr: seen.stderr.slice(0, seen.stderr.indexOf(end)) };
    },
    close: () => void bash.kill(),
  };
}
