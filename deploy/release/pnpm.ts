import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

export interface Printed {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs pnpm at the top of the workspace: the one that runs us, or that which the README names. */
export async function pnpm(...args: readonly string[]): Promise<Printed> {
  const running = process.env["npm_execpath"];
  const [program, first]: [string, string[]] = running?.includes("pnpm")
    ? /\.[cm]?js$/.test(running)
      ? [process.execPath, [running]]
      : [running, []]
    : ["npx", ["--yes", "pnpm@12"]];
  try {
    const printed = await promisify(execFile)(program, [...first, ...args], { cwd: ROOT, maxBuffer: 64 * 1024 ** 2 });
    return { code: 0, ...printed };
  } catch (error) {
    const { code, stdout, stderr } = error as { code: unknown; stdout?: string; stderr?: string };
    if (typeof code !== "number") throw error;
    return { code, stdout: stdout ?? "", stderr: stderr ?? "" };
  }
}
