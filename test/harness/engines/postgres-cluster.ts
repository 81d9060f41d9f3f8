import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync } from "node:fs";
import {
  chown,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  realpath,
  rm,
  stat,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { withDatabase } from "@partner-connect/database/testing";
import { freePort } from "@partner-connect/local-stack";
import { type PostgresPrograms, postgresPrograms } from "@partner-connect/local-stack/testing";

export { withDatabase };

const run = promisify(execFile);

export type Settings = Readonly<Record<string, string>>;

/** A Postgres without supervision: tests can kill it, copy it, and start it with other settings. */
export type PostgresCluster = Awaited<ReturnType<typeof clusterIn>>;

const PASSWORD = "correct-horse-battery";

/** Makes a cluster, not started yet. @param local the authentication on Unix sockets */
export async function makeCluster(given?: PostgresPrograms, local = "scram-sha-256") {
  const place = await prepareFolder(given);
  const password = join(place.folder, "password");
  await writeFile(password, `${PASSWORD}\n`);
  const { programs } = place;
  if (programs.user) await chown(password, programs.user.uid, programs.user.gid);
  const auth = ["--auth-host=scram-sha-256", `--auth-local=${local}`];
  const login = ["--username=postgres", `--pwfile=${password}`, ...auth];
  const args = [
    "-D",
    join(place.folder, "cluster"),
    ...login,
    ...programs.initdbFlags,
    "--no-sync",
  ];
  await run(programs.initdb, args, { cwd: "/", env: ENVIRONMENT, ...identity(programs) });
  return await clusterIn(place);
}

/** Makes a cluster from a copy by {@link copyWhileItRuns}, not started yet. */
export async function clusterFrom(copy: string, programs?: PostgresPrograms) {
  const place = await prepareFolder(programs);
  await run("cp", ["-a", copy, join(place.folder, "cluster")]);
  return await clusterIn(place);
}

/**
 * Copies the files of a running cluster, as pg_basebackup does, but without its log (pg_wal), which
 * comes from the archive or from the primary. @returns the copy's folder
 */
export async function copyWhileItRuns(cluster: Pick<PostgresCluster, "url" | "folder">) {
  const copy = `${cluster.folder}-copy-${Date.now()}`;
  return await withDatabase(cluster.url, async (sql) => {
    await sql`SELECT pg_backup_start('copy', fast => true)`;
    // Files that vanish during the copy are no loss: the WAL has the changes.
    await run("cp", ["-a", cluster.folder, copy]).catch((error) => {
      if (!/^(?:.*No such file or directory\n)+$/.test(error.stderr)) throw error;
    });
    const [row] = await sql<
      { labelfile: string }[]
    >`SELECT labelfile FROM pg_backup_stop(wait_for_archive => false)`;
    await run("sh", [
      "-c",
      'rm -rf "$1"/pg_wal/* "$1"/pg_replslot/* "$1"/postmaster.* "$1"/pg_stat_tmp/*',
      "sh",
      copy,
    ]);
    await writeFile(join(copy, "backup_label"), row?.labelfile ?? "");
    const { uid, gid } = await stat(join(copy, "PG_VERSION"));
    await chown(join(copy, "backup_label"), uid, gid);
    return copy;
  });
}

const ENVIRONMENT = { PATH: process.env["PATH"], LC_ALL: "C" };

function identity({ user }: PostgresPrograms) {
  return user ? { uid: user.uid, gid: user.gid } : {};
}

async function prepareFolder(given?: PostgresPrograms) {
  const programs = given ?? (await postgresPrograms());
  const folder = await mkdtemp(join(tmpdir(), "partner-connect-cluster-"));
  if (programs.user) await chown(folder, programs.user.uid, programs.user.gid);
  return { programs, folder };
}

async function clusterIn({ programs, folder }: Awaited<ReturnType<typeof prepareFolder>>) {
  const port = await freePort();
  const cluster = join(folder, "cluster");
  const url = `postgres://postgres:${PASSWORD}@127.0.0.1:${port}/postgres`;
  let child: ChildProcess | undefined;
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, "exit");
    child.kill(signal);
    await ended;
    const deadline = Date.now() + 10_000;
    while (Date.now() < deadline && (await processesIn(cluster)).length > 0) await sleep(10);
  };
  process.once("exit", () => child?.kill("SIGKILL"));
  return {
    /** URL of the owner's connection. */
    url,
    port,
    /** The data directory. Its parent has all files of this cluster and is removed at the end. */
    folder: cluster,
    async start(settings: Settings = {}) {
      const all = {
        listen_addresses: "127.0.0.1",
        port: String(port),
        unix_socket_directories: "",
        ...settings,
      };
      const flags = Object.entries(all).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
      const log = openSync(join(folder, "log"), "a");
      child = spawn(programs.postgres, ["-D", cluster, ...flags], {
        ...{ cwd: "/", env: ENVIRONMENT, stdio: ["ignore", log, log] },
        ...identity(programs),
      });
      closeSync(log);
      await untilItAnswers(url, child, join(folder, "log"));
    },
    /** Kills its first process (`kill -9`). The other processes notice, and end too. */
    kill: () => end("SIGKILL"),
    /** A fast shutdown. */
    stop: () => end("SIGINT"),
    /** Writes a file in the cluster's folder, such as `standby.signal`. */
    async write(name: string, text: string) {
      await writeFile(join(cluster, name), text);
      if (programs.user) await chown(join(cluster, name), programs.user.uid, programs.user.gid);
    },
    async remove() {
      await end("SIGKILL");
      await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
    },
  };
}

/** The cluster's processes, which prevent a restart and may outlive it for some milliseconds. */
async function processesIn(cluster: string): Promise<string[]> {
  const pids = (await readdir("/proc").catch(() => [])).filter((name) => /^\d+$/.test(name));
  const folders = await Promise.all(
    pids.map((pid) => readlink(`/proc/${pid}/cwd`).catch(() => null)),
  );
  const folder = await realpath(cluster).catch(() => cluster);
  return pids.filter((_, index) => folders[index] === folder);
}

async function untilItAnswers(url: string, child: ChildProcess, log: string): Promise<void> {
  for (const deadline = Date.now() + 30_000; ; await sleep(50)) {
    if (child.exitCode !== null || Date.now() > deadline) {
      throw new Error(`Postgres doesn't serve:\n${await readFile(log, "utf8")}`);
    }
    const asked = withDatabase(url, (sql) => sql`SELECT 1`, true);
    if (await asked.catch(() => null)) return;
  }
}
