import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";

/** Our migrations. */
export const MIGRATIONS: URL = new URL("../../migrations/", import.meta.url);

export interface Migration {
  readonly version: number;
  readonly name: string;
  /** Such as `013.do.connections-room.sql`. */
  readonly filename: string;
  /** Whether it is applied statement by statement, outside of a transaction: `016.do.connections-by-client.outside.sql`. */
  readonly isOutside: boolean;
  readonly script: string;
  readonly md5: string;
}

const FILE = /^(\d+)\.do\.([^.]+)(\.outside)?\.sql$/;

/** The migrations of the folder, in order. */
export async function readMigrations(folder: URL): Promise<Migration[]> {
  const migrations: Migration[] = [];
  for (const filename of await readdir(folder)) {
    const [, version, name = "", outside] = FILE.exec(filename) ?? [];
    if (version === undefined) continue;
    const script = await readFile(new URL(filename, folder), "utf8");
    const md5 = createHash("md5").update(script).digest("hex");
    migrations.push({ version: Number(version), name, filename, isOutside: outside !== undefined, script, md5 });
  }
  return migrations.toSorted((one, other) => one.version - other.version);
}
