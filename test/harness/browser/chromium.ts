import { execFile } from "node:child_process";
import { access, constants } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { type Browser, chromium } from "playwright-core";

const PROGRAMS = ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome"];

export const HOW_TO_GET_CHROMIUM =
  "Chromium is missing, so the browser tests are skipped: install it (Debian, Ubuntu: apt-get install chromium; macOS: brew install chromium)";

/**
 * The Chromium of this machine. Where there is none, root on Debian or Ubuntu installs one; otherwise the result is null. In
 * CI this throws instead, so that no browser test is skipped there.
 */
export async function chromiumProgram(): Promise<string | null> {
  const program = (await find(PROGRAMS)) ?? (await install());
  if (program === null && process.env["CI"]) throw new Error(HOW_TO_GET_CHROMIUM);
  return program;
}

/** A browser that sends no requests of its own, only those of the pages that a test opens. */
export async function launchChromium(program: string): Promise<Browser> {
  return await chromium.launch({
    executablePath: program,
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      "--disable-lcd-text",
      "--no-first-run",
    ],
  });
}

async function install(): Promise<string | null> {
  if (process.getuid?.() !== 0 || (await find(["apt-get"])) === null) return null;
  process.stderr.write("Chromium is missing: installing it with apt-get install -y chromium\n");
  const run = promisify(execFile);
  // Two test files may want it at once: the second waits for the first one's lock.
  const wait = ["-o", "DPkg::Lock::Timeout=600"];
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  await run("apt-get", [...wait, "update", "-qq"], { env });
  await run("apt-get", [...wait, "install", "-y", "-qq", "--no-install-recommends", "chromium"], { env });
  return await find(PROGRAMS);
}

async function find(names: readonly string[]): Promise<string | null> {
  const folders = [...(process.env["PATH"] ?? "").split(delimiter), "/usr/bin", "/usr/local/bin"];
  for (const path of names.flatMap((name) => folders.filter(Boolean).map((folder) => join(folder, name)))) {
    const isProgram = await access(path, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (isProgram) return path;
  }
  return null;
}
