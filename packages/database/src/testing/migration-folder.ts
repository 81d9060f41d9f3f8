import { cp, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { temporaryFolder } from "@partner-connect/service-runtime/testing";
import { MIGRATIONS } from "../migrate/migration-files.ts";

/** A copy of our migrations, which the hook removes. Versions from 1000 on come after ours. */
export async function migrationFolder(hook: Parameters<typeof temporaryFolder>[0]) {
  const folder = temporaryFolder(hook);
  await cp(MIGRATIONS, folder, { recursive: true });
  return {
    url: pathToFileURL(`${folder}/`),
    async add(files: Readonly<Record<string, string>>): Promise<void> {
      for (const [name, script] of Object.entries(files))
        await writeFile(join(folder, name), script);
    },
  };
}
