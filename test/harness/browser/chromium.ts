import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { type Browser, chromium } from "playwright-core";
import { CHROMIUM, canInstall, onPath } from "../../programs.ts";

/**
 * A browser that sends no requests of its own, only those of the pages that a test opens. Where Chromium is missing, root on
 * Debian or Ubuntu installs it.
 *
 * @throws Error where there is none and none can be installed
 */
export async function launchChromium(): Promise<Browser> {
  const executablePath = onPath(CHROMIUM) ?? (await install());
  if (executablePath === null) {
    throw new Error("Chromium is missing (Debian, Ubuntu: apt-get install chromium; macOS: brew install chromium)");
  }
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
    ],
  });
}

async function install(): Promise<string | null> {
  if (!canInstall()) return null;
  process.stderr.write("Chromium is missing: installing it with apt-get install -y chromium\n");
  const run = promisify(execFile);
  // Two test files may want it at once: the second waits for the first one's lock.
  const wait = ["-o", "DPkg::Lock::Timeout=600"];
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  await run("apt-get", [...wait, "update", "-qq"], { env });
  await run("apt-get", [...wait, "install", "-y", "-qq", "--no-install-recommends", "chromium"], { env });
  return onPath(CHROMIUM);
}
