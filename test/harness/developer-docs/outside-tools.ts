import { execFile } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { QUIET_NPM } from "./programs.ts";

/** What a partner may have on a machine, at exact versions from npm: some 300 MB, which are kept for the next run. */
const FOLDER = new URL("../../../node_modules/.cache/outside-tools/", import.meta.url).pathname;

const CPU = process.arch === "arm64" ? { node: "arm64", bun: "aarch64" } : { node: "x64", bun: "x64" };

/** The packages that hold the programs themselves: those that one usually names fetch them by install scripts. */
const PACKAGES: Readonly<Record<string, string>> = {
  "node-20": `npm:node-linux-${CPU.node}@20.20.2`,
  "node-22": `npm:node-linux-${CPU.node}@22.23.3`,
  "node-24": `npm:node-linux-${CPU.node}@24.9.0`,
  bun: `npm:@oven/bun-linux-${CPU.bun}@1.4.5`,
  deno: `npm:@deno/linux-${CPU.node}-glibc@2.9.6`,
  pnpm: "npm:pnpm@10.18.0",
  "yarn-1": "npm:yarn@1.22.22",
  "yarn-4": "npm:@yarnpkg/cli-dist@4.18.1",
  "typescript-5.0": "npm:typescript@5.0.4",
  "typescript-5.4": "npm:typescript@5.4.5",
  "typescript-5.9": "npm:typescript@5.9.3",
  "typescript-6.0": "npm:typescript@6.0.3",
  "typescript-7.0": "npm:typescript@7.0.2",
};

/** Installs them, and gives the path of a file of one of them. */
export async function outsideTools(): Promise<(tool: string, file: string) => string> {
  await mkdir(FOLDER, { recursive: true });
  await writeFile(join(FOLDER, "package.json"), JSON.stringify({ private: true, dependencies: PACKAGES }));
  const { code, output } = await run("npm", ["install", "--ignore-scripts", "--prefer-offline"], FOLDER);
  if (code !== 0) throw new Error(`npm install of what a partner may have: ${output}`);
  return (tool, file) => join(FOLDER, "node_modules", tool, file);
}

export interface Outcome {
  readonly code: number;
  readonly output: string;
}

const LIMIT_MS = 120_000;

/** Runs a program in a folder, with nothing of the workspace in its environment. */
export function run(command: string, args: readonly string[], cwd: string, more = {}): Promise<Outcome> {
  const env = { PATH: "/usr/local/bin:/usr/bin:/bin", HOME: process.env["HOME"], ...QUIET_NPM, ...more };
  return new Promise((done) => {
    execFile(command, args, { cwd, env, timeout: LIMIT_MS }, (error, stdout, stderr) => {
      done({ code: error ? Number(error.code) || 1 : 0, output: stdout + stderr });
    });
  });
}
