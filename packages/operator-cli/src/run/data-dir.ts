import { existsSync } from "node:fs";
import { join, resolve } from "node:path";

const DEV = resolve(".data");
const SANDBOX = resolve(".data/sandbox");

export function localStackFile(dataDir: string): string {
  return join(dataDir, "local-stack.json");
}

/** Where DATA_DIR says nothing: `pnpm dev`'s folder, or the sandbox's when that alone runs. */
export function usualDataDir(): string {
  return !runs(DEV) && runs(SANDBOX) ? SANDBOX : DEV;
}

/** The same for commands that only a sandbox knows. */
export function usualSandboxDataDir(): string {
  return !runs(SANDBOX) && runs(DEV) ? DEV : SANDBOX;
}

/** A stack has its file while it runs. */
function runs(dataDir: string): boolean {
  return existsSync(localStackFile(dataDir));
}
