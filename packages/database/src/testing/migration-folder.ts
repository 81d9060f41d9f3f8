import { cp, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { MIGRATIONS } from "../migrate/migration-files.ts";

export interface MigrationFolder {
  readonly url: URL;
  add(files: Readonly<Record<string, string>>): Promise<void>;
  remove(): Promise<void>;
}

/** A copy of our migrations with these files beside them: versions from 1000 on come after ours. */
export async function migrationFolder(files: Readonly<Record<string, string>>): Promise<MigrationFolder> {
  const folder = await mkdtemp(join(tmpdir(), "migrations-"));
  await cp(MIGRATIONS, folder, { recursive: true });
  const add = async (more: Readonly<Record<string, string>>) => {
    for (const [name, script] of Object.entries(more)) await writeFile(join(folder, name), script);
  };
  await add(files);
  return {
    url: pathToFileURL(`${folder}/`),
    add,
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}
