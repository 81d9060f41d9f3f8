import { type ChildProcess, execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { Snippet } from "@partner-connect/developer-docs/testing";
import { freePort } from "@partner-connect/local-stack";
import { send } from "../actors/http.ts";
import { type Outcome, runToEnd } from "../actors/operator.ts";
import type { ReaderWorld } from "./reader-world.ts";

export type Programs = Awaited<ReturnType<typeof programsFolder>>;

const PACKAGES = fileURLToPath(new URL("../../../packages/", import.meta.url));
const LIMIT_MS = 30_000;
const PYTHON_SDK = join(PACKAGES, "partner-sdk-python");

/** npm makes no further requests, and prints only errors. */
export const QUIET_NPM: Readonly<Record<string, string>> = {
  npm_config_audit: "false",
  npm_config_fund: "false",
  npm_config_update_notifier: "false",
  npm_config_loglevel: "error",
};

/** Makes a folder for programs, and installs the TypeScript SDK there as the stack serves it. */
export async function programsFolder(baseUrl: string) {
  const folder = await mkdtemp(join(tmpdir(), "partner-connect-docs-"));
  for (const language of ["ts", "python"]) await mkdir(join(folder, language));
  await writeFile(join(folder, "package.json"), '{ "type": "module" }');
  const env = { ...process.env, ...QUIET_NPM };
  await promisify(execFile)("npm", ["install", `${baseUrl}/docs/partner-sdk.tgz`], {
    cwd: folder,
    env,
  });
  return { folder, remove: () => rm(folder, { recursive: true }) };
}

/** Runs a named block; or, at the last unnamed one of its language, all unnamed ones together. */
export async function runProgram(
  snippet: Snippet,
  page: readonly Snippet[],
  { folder }: Programs,
  { world, variables }: { world: ReaderWorld; variables: Readonly<Record<string, string>> },
): Promise<Outcome | null> {
  const { language, file } = snippet;
  const parts = page.filter((one) => one.language === language && one.file === null);
  if (file === null && parts.at(-1) !== snippet) return null;
  const port = String(await freePort());
  const text = file === null ? parts.map((part) => part.text).join("\n") : snippet.text;
  const path = join(folder, language, file ?? `page.${language === "ts" ? "ts" : "py"}`);
  await writeFile(path, text.replaceAll("3456", port));
  const command = language === "ts" ? process.execPath : "python3";
  const { PATH, HOME } = process.env;
  const quiet = { NODE_NO_WARNINGS: "1", PYTHONDONTWRITEBYTECODE: "1" };
  const env = {
    PATH,
    HOME,
    ...quiet,
    ...variables,
    PYTHONPATH: PYTHON_SDK,
    PYTHONUNBUFFERED: "1",
  };
  const options = { cwd: join(folder, language), env, timeout: LIMIT_MS };
  let printed = "";
  let visited: Promise<unknown> | undefined;
  // The merchant opens the printed authorize link. If no callback comes, the program is ended.
  const ran = await runToEnd(command, [path], options, (child) =>
    child.stdout?.on("data", (text: string) => {
      printed += text;
      const link = /\S+\/oauth\/api\/authorize\?\S+/.exec(printed)?.[0];
      if (!link || visited) return;
      const approved = world.browser.approve(link, world.shopOf[language] ?? world.shop);
      visited = approved
        .then((callback) => openCallback(callback, child))
        .then(
          () => "",
          (error: unknown) => {
            child.kill();
            return error;
          },
        );
    }),
  );
  return { ...ran, stderr: `${ran.stderr}${(await visited) ?? ""}` };
}

/** Opens the callback, and retries until the program, which prints its link first, listens. */
async function openCallback(url: string, program: ChildProcess): Promise<void> {
  for (;;) {
    try {
      await send(url);
      return;
    } catch (error) {
      const isRunning = program.exitCode === null && program.signalCode === null;
      if ((error as NodeJS.ErrnoException).code !== "ECONNREFUSED" || !isRunning) throw error;
      await sleep(20);
    }
  }
}
