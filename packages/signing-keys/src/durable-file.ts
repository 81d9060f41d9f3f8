import { randomUUID } from "node:crypto";
import { open, rm, stat } from "node:fs/promises";
import { dirname } from "node:path";

/** Writes and syncs a new file beside `path`, readable only by the owner of `path`, even if root writes. Returns its path. */
export async function writeBeside(path: string, text: string): Promise<string> {
  const temporary = `${path}.${randomUUID()}`;
  const former = await stat(path).catch(() => null);
  const file = await open(temporary, "wx", 0o600);
  try {
    if (former && former.uid !== process.getuid?.()) await file.chown(former.uid, former.gid);
    await file.writeFile(text);
    await file.sync();
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  } finally {
    await file.close();
  }
  return temporary;
}

/** Syncs a rename or link of `path` to disk. */
export async function syncFolderOf(path: string): Promise<void> {
  const folder = await open(dirname(path), "r");
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

export function hasCode(error: unknown, code: string): boolean {
  return (error as NodeJS.ErrnoException | null)?.code === code;
}
