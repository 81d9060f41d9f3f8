import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { afterAll, onTestFinished } from "vitest";

/** A new folder that the hook removes: `afterAll` at a file's top, else `onTestFinished`. */
export function temporaryFolder(hook: typeof afterAll | typeof onTestFinished): string {
  const folder = mkdtempSync(join(tmpdir(), "partner-connect-"));
  hook(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
