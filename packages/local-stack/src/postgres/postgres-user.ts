import { execFile, spawnSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { administratorEnvironment } from "../config.ts";
import { StartFailure } from "../processes/start-failure.ts";

/**
 * Postgres refuses to run as root, so root runs it as another user. Where that user can't enter the clone or DATA_DIR, this
 * folder has a copy of Postgres's programs and the clusters, and DATA_DIR/postgres is a link to one of them.
 */
export const MACHINE_FOLDER = "/var/lib/partner-connect";

/** The system user that runs Postgres in place of root. */
export interface PostgresUser {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
}

/** For root: the system user `postgres`, made when it is missing. Null for every other user, who can run Postgres. */
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
