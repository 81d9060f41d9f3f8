import { execFile, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Operated } from "../actors/operator.ts";
import { UNLIMITED } from "./limits.ts";
import type { StackUnderTest } from "./stacks.ts";

const run = promisify(execFile);
const ROOT = new URL("../../..", import.meta.url).pathname;

/** What git prints; empty when it fails. */
const git = (...words: string[]) =>
  run("git", words, { cwd: ROOT }).then(
    ({ stdout }) => stdout.trim(),
    () => "",
  );

/** The commit that gave the changelog this version; null where the history is not there. */
export async function commitOf(version: string): Promise<string | null> {
  return (await git("log", "--format=%H", "-1", "-S", `## [${version}]`, "--", "CHANGELOG.md")) || null;
}

/** The commit before the one that added the file; null where the history is not there. */
export async function commitBefore(path: string): Promise<string | null> {
  const added = await git("log", "--diff-filter=A", "--format=%H", "-1", "--", path);
  return (added && (await git("rev-parse", "--verify", "--quiet", `${added}^`))) || null;
}

export interface FormerStack {
  readonly now: StackUnderTest & Operated;
  stop(): Promise<void>;
}

/** The release of a commit, installed in a folder of its own, from what pnpm has already where it has it, with its stack on these stores. */
export async function startFormerRelease(
  commit: string,
  stores: Readonly<Record<string, string>>,
): Promise<FormerStack> {
  const folder = await mkdtemp(join(tmpdir(), "partner-connect-former-"));
  const dataDir = join(folder, ".data");
  await run("sh", ["-c", `git archive ${commit} | tar -x -C '${folder}'`], { cwd: ROOT });
  await run("npx", ["--yes", "pnpm@12", "install", "--prefer-offline", "--frozen-lockfile"], { cwd: folder });
  const { PATH, HOME } = process.env;
  const child = spawn(process.execPath, [join(folder, "packages/local-stack/src/main.ts")], {
    cwd: folder,
    env: { PATH, HOME, ...UNLIMITED, ...stores, DATA_DIR: dataDir, PORT: "0", DEMO_DATA: "0" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = new Promise<void>((resolve) => child.once("close", () => resolve()));
  const ready = new Promise<void>((resolve) => {
    child.stdout.on("data", (chunk: Buffer) => /^ready /m.test(String(chunk)) && resolve());
  });
  await Promise.race([ready, ended]);
  if (child.exitCode !== null) throw new Error(`the release of ${commit} ended with ${child.exitCode}`);
  return {
    now: {
      ...JSON.parse(readFileSync(join(dataDir, "local-stack.json"), "utf8")),
      dataDir,
      cli: join(folder, "packages/operator-cli/src/main.ts"),
    },
    async stop() {
      child.kill("SIGTERM");
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}
