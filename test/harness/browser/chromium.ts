import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { type Browser, chromium } from "playwright-core";
import { CHROMIUM, canInstall, HEADLESS_SHELL, onPath } from "../../programs.ts";

const run = promisify(execFile);

/**
 * Launches Chromium's headless shell, the same engine at a quarter of the CPU, or else Chromium.
 * As root on Debian or Ubuntu it installs a missing shell. The browser requests only what pages do.
 */
export async function launchChromium(): Promise<Browser> {
  const executablePath = onPath(HEADLESS_SHELL) ?? (await installShell()) ?? onPath(CHROMIUM);
  if (executablePath === null) {
    throw new Error(
      "Chromium is missing (Debian, Ubuntu: apt-get install chromium; macOS: brew install chromium)",
    );
  }
  return await launch(executablePath);
}

async function launch(executablePath: string): Promise<Browser> {
  return await chromium.launch({
    executablePath,
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      "--disable-lcd-text",
      "--no-first-run",
      // A process for each site and each window takes more CPU than the pages.
      "--disable-site-isolation-trials",
      "--renderer-process-limit=1",
    ],
  });
}

/** Installs Chromium if it is missing, then the headless shell, which not every system has. */
async function installShell(): Promise<string | null> {
  if (!canInstall()) return null;
  if (onPath(CHROMIUM) === null) {
    process.stderr.write("Chromium is missing: installing it with apt-get install -y chromium\n");
    await run("apt-get", [...WAIT, "update", "-qq"], { env: aptEnvironment() });
    await install("chromium");
  }
  await install("chromium-headless-shell", ["-o", "Acquire::Retries=0"]).catch(() => null);
  return onPath(HEADLESS_SHELL);
}

// If two test files need it at the same time, the second waits for the first one's lock.
const WAIT = ["-o", "DPkg::Lock::Timeout=600"];

async function install(name: string, options: readonly string[] = []): Promise<void> {
  const words = ["install", "-y", "-qq", "--no-install-recommends", name];
  await run("apt-get", [...WAIT, ...options, ...words], { env: aptEnvironment() });
}

function aptEnvironment() {
  return { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
}
