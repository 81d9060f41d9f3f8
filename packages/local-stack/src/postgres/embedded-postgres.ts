import { execFile } from "node:child_process";
import { chown, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { endProcess, identify } from "@partner-connect/service-runtime/process-identity";
import { searchPath } from "../config.ts";
import type { StorePlace } from "../containers/start-store.ts";
import { startProcess } from "../processes/start-process.ts";
import { step } from "../processes/step.ts";
import type { StackContext, SupervisedProcess } from "../processes/supervised-process.ts";
import { postgresBinaries } from "./binaries.ts";
import { clusterFolder } from "./cluster-folder.ts";
import { postgresAnswers, postgresUrl } from "./connection.ts";
import { type PostgresUser, postgresUser } from "./postgres-user.ts";
import { INITDB_FLAGS, settings } from "./settings.ts";

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
      args: ["-D", cluster, ...listenOn(options.port), ...settings(options)],
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

function listenOn(port: number): string[] {
  return ["-c", "listen_addresses=127.0.0.1", "-c", `port=${port}`, "-c", "unix_socket_directories="];
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

/**
 * After a kill -9, postmaster.pid may name a postmaster that still runs: it is ended. Or its id may belong to another
 * program by now: Postgres would refuse to start, so the file is removed.
 */
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
