import { createHash } from "node:crypto";
import { chmod, chown, lstat, mkdir, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { MACHINE_FOLDER, type PostgresUser, userCan } from "./postgres-user.ts";

/**
 * The folder of `dataDir`'s cluster: DATA_DIR/postgres. Where Postgres's user can't enter DATA_DIR, that is a link to a
 * folder in /var/lib/partner-connect, which is removed once DATA_DIR is gone.
 */
export async function clusterFolder(dataDir: string, user: PostgresUser | null): Promise<string> {
  const here = join(dataDir, "postgres");
  if (user === null) {
    await mkdir(here, { recursive: true, mode: 0o700 });
    return here;
  }
  const entry = await lstat(here).catch(() => null);
  if (entry === null) {
    await mkdir(here, { mode: 0o700 });
    await chown(here, user.uid, user.gid);
  }
  if (!entry?.isSymbolicLink() && userCan(user, "-w", here)) return here;
  return await folderElsewhere(dataDir, here, entry?.isSymbolicLink() ?? false, user);
}

async function folderElsewhere(dataDir: string, here: string, linked: boolean, user: PostgresUser): Promise<string> {
  const id = createHash("sha256").update(dataDir).digest("hex").slice(0, 16);
  const owned = join(MACHINE_FOLDER, `data-${id}`);
  const cluster = join(owned, "postgres");
  await mkdir(MACHINE_FOLDER, { recursive: true, mode: 0o755 });
  await chmod(MACHINE_FOLDER, 0o755);
  await removeAbandoned();
  if (!linked) {
    // What is there was made for a former DATA_DIR of this name.
    await rm(owned, { recursive: true, force: true });
    await rm(here, { recursive: true });
    await symlink(cluster, here);
  }
  await mkdir(cluster, { recursive: true, mode: 0o755 });
  await chmod(owned, 0o755);
  await writeFile(join(owned, "data-dir"), dataDir);
  await chown(cluster, user.uid, user.gid);
  await chmod(cluster, 0o700);
  return cluster;
}

/** Clusters whose DATA_DIR was deleted, such as those of a test run that was killed. */
async function removeAbandoned(): Promise<void> {
  for (const name of await readdir(MACHINE_FOLDER)) {
    if (!name.startsWith("data-")) continue;
    const folder = join(MACHINE_FOLDER, name);
    const dataDir = await readFile(join(folder, "data-dir"), "utf8").catch(() => null);
    if (dataDir === null) continue;
    if ((await lstat(join(dataDir, "postgres")).catch(() => null)) === null) {
      await rm(folder, { recursive: true, force: true });
    }
  }
}
