import { readFile, realpath, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { containerEngine } from "./containers/engine.ts";
import { STORES, volumeFile } from "./containers/start-store.ts";
import { MACHINE_FOLDER } from "./postgres/postgres-user.ts";

/** Removes a DATA_DIR whose stack has stopped, and what belongs to it elsewhere: its containers' volumes, its cluster. */
export async function removeData(dataDir: string): Promise<void> {
  for (const store of STORES) {
    const volume = await readFile(volumeFile(dataDir, store), "utf8").catch(() => null);
    const engine = volume === null ? null : await containerEngine();
    if (volume !== null) await engine?.dockerode.getVolume(volume.trim()).remove();
  }
  const cluster = await realpath(join(dataDir, "postgres")).catch(() => null);
  if (cluster?.startsWith(`${MACHINE_FOLDER}/`)) await rm(dirname(cluster), { recursive: true, force: true });
  await rm(dataDir, { recursive: true, force: true });
}
