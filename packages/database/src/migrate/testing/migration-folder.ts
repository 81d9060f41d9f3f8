import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

export interface MigrationFolder {
  readonly url: URL;
  remove(): Promise<void>;
}

/** A folder of migrations, by their names. Versions from 1000 on come after ours. */
export async function migrationFolder(files: Readonly<Record<string, string>>): Promise<MigrationFolder> {
  const folder = await mkdtemp(join(tmpdir(), "migrations-"));
  for (const [name, script] of Object.entries(files)) await writeFile(join(folder, name), script);
  return {
    url: pathToFileURL(`${folder}/`),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}
