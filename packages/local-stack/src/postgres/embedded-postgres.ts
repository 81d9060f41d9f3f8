import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { chmod, chown, lstat, mkdir, readdir, readFile, rename, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { endProcess, identify } from "@partner-connect/service-runtime/process-identity";
import { searchPath } from "../config.ts";
import type { StorePlace } from "../containers/start-store.ts";
import { startProcess } from "../processes/start-process.ts";
import { type StackContext, type SupervisedProcess, step } from "../processes/supervised-process.ts";
import { MACHINE_FOLDER, type PostgresUser, postgresBinaries, postgresUser, userCan } from "./binaries.ts";
import { INITDB_FLAGS, postgresAnswers, postgresUrl, settings } from "./connection.ts";

const LISTEN = { listen_addresses: "127.0.0.1", unix_socket_directories: "" };

/** Postgres from npm's binaries, with its cluster in DATA_DIR/postgres, made at the first start. */
export async function startEmbeddedPostgres(options: StorePlace, context: StackContext): Promise<SupervisedProcess> {
  const user = await postgresUser(context.report);
  const binaries = await postgresBinaries(user, context.report);
  const folder = await clusterFolder(options.dataDir, user);
  const cluster = join(folder, "cluster");
  if (!(await readdir(folder)).includes("cluster")) {
    await step(context.report, "making the database's files (first start)", () =>
      initialise(binaries.initdb, folder, options.password, user),
    );
  }
  const url = postgresUrl("127.0.0.1", options.port, options.password);
  return await startProcess(
    {
      name: "postgres",
      url,
      command: binaries.postgres,
      args: ["-D", cluster, ...settings(options, { port: `${options.port}`, ...LISTEN })],
      env: { PATH: searchPath(), LC_ALL: "C" },
      ...(user && { user: { uid: user.uid, gid: user.gid } }),
      log: options.log,
      prepare: () => clearStalePidFile(cluster),
      serves: () => postgresAnswers(url),
      // Postgres's fast shutdown: ends sessions, then makes a checkpoint.
      stopSignal: "SIGINT",
    },
    context,
  );
}

/** Makes the cluster in a folder of another name, and renames it: an interrupted start leaves nothing that looks like one. */
async function initialise(initdb: string, folder: string, password: string, user: PostgresUser | null): Promise<void> {
  const partial = join(folder, "cluster.partial");
  const passwordFile = join(folder, "password");
  await rm(partial, { recursive: true, force: true });
  await writeFile(passwordFile, `${password}\n`, { mode: 0o600 });
  if (user) await chown(passwordFile, user.uid, user.gid);
  try {
    await promisify(execFile)(
      initdb,
      ["-D", partial, "--username=postgres", `--pwfile=${passwordFile}`, "--auth=scram-sha-256", ...INITDB_FLAGS],
      { cwd: "/", env: { PATH: searchPath(), LC_ALL: "C" }, ...(user && { uid: user.uid, gid: user.gid }) },
    );
  } finally {
    await rm(passwordFile, { force: true });
  }
  await rename(partial, join(folder, "cluster"));
}

/** After a kill -9, postmaster.pid may name a postmaster that still runs, which is ended; or another program, for which it is removed. */
async function clearStalePidFile(cluster: string): Promise<void> {
  const file = join(cluster, "postmaster.pid");
  const [pid, folder] = (await readFile(file, "utf8").catch(() => "")).split("\n");
  if (!pid) return;
  const running = await identify(Number(pid));
  if (!running) return;
  const commandLine = await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => null);
  if (commandLine === null) return;
  if (commandLine.includes("postgres") && folder && commandLine.includes(folder)) await endProcess(running, "SIGINT");
  else await rm(file, { force: true });
}

/** DATA_DIR/postgres. Where Postgres's user can't enter it, a link to {@link MACHINE_FOLDER}, removed once DATA_DIR is gone. */
async function clusterFolder(dataDir: string, user: PostgresUser | null): Promise<string> {
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
