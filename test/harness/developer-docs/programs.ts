import { spawn } from "node:child_process";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Snippet } from "@partner-connect/developer-docs/testing";
import { freePort } from "@partner-connect/local-stack";
import { send } from "../http.ts";
import type { ReaderWorld } from "./reader-world.ts";
import type { Ran } from "./shell.ts";

/** Where a reader keeps programs, with the SDKs installed. */
export interface Programs {
  readonly folder: string;
  remove(): Promise<void>;
}

const PACKAGES = fileURLToPath(new URL("../../../packages/", import.meta.url));
const LIMIT_MS = 30_000;

export async function programsFolder(): Promise<Programs> {
  const folder = await mkdtemp(join(tmpdir(), "partner-connect-docs-"));
  for (const language of ["ts", "python"]) await mkdir(join(folder, language));
  await writeFile(join(folder, "ts", "package.json"), '{ "type": "module" }');
  await mkdir(join(folder, "ts", "node_modules", "@partner-connect"), { recursive: true });
  const installed = join(folder, "ts", "node_modules", "@partner-connect", "partner-sdk");
  await symlink(join(PACKAGES, "partner-sdk"), installed);
  return { folder, remove: () => rm(folder, { recursive: true }) };
}

/**
 * Runs a block as a program. A block with a file name is one; the others of a page and language are one together, so what the
 * first declares the last one has, and all but the last do nothing here.
 */
export async function runProgram(
  snippet: Snippet,
  page: readonly Snippet[],
  { folder }: Programs,
  { world, variables }: { world: ReaderWorld; variables: Readonly<Record<string, string>> },
): Promise<Ran> {
  const { language, file } = snippet;
  const parts = page.filter((one) => one.language === language && one.file === null && !one.skipped);
  if (file === null && parts.at(-1) !== snippet) return { exitCode: 0, stdout: "", stderr: "" };
  const port = String(await freePort());
  const text = file === null ? parts.map((part) => part.text).join("\n") : snippet.text;
  const path = join(folder, language, file ?? `page.${language === "ts" ? "ts" : "py"}`);
  await writeFile(path, text.replaceAll("3456", port));
  const command = language === "ts" ? process.execPath : "python3";
  return await driven(command, path, join(folder, language), world, variables);
}

/** Runs a program, and is the merchant when it prints a link to us. */
function driven(
  command: string,
  path: string,
  cwd: string,
  world: ReaderWorld,
  variables: Readonly<Record<string, string>>,
): Promise<Ran> {
  const { PATH, HOME } = process.env;
  const env = { PATH, HOME, ...variables, PYTHONPATH: join(PACKAGES, "partner-sdk-python"), PYTHONUNBUFFERED: "1" };
  const child = spawn(command, [path], { cwd, env, timeout: LIMIT_MS });
  const seen = { stdout: "", stderr: "" };
  let sent = false;
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    seen.stdout += text;
    const link = /\S+\/oauth\/api\/authorize\?\S+/.exec(seen.stdout)?.[0];
    if (!link || sent) return;
    sent = true;
    visit(link, world).catch((error: unknown) => {
      seen.stderr += String(error);
      child.kill();
    });
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    seen.stderr += text;
  });
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => resolve({ exitCode: code ?? -1, ...seen }));
  });
}

async function visit(link: string, { browser, advancedShop }: ReaderWorld): Promise<void> {
  await send(await browser.approve(link, advancedShop));
}
