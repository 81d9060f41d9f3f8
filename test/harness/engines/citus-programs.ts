import { execFile } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { chmod, chown, mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { type PostgresPrograms, postgresPrograms } from "@partner-connect/local-stack/testing";

const run = promisify(execFile);

export interface CitusPrograms {
  readonly programs: PostgresPrograms;
  /** For the nodes' sockets. Only their user can enter it, so they trust each other there. */
  readonly sockets: string;
  remove(): Promise<void>;
}

/** What `CITUS_START` names: it starts a cluster on this machine and prints where it is. Null where there is no such program. */
export function citusProgram(): string | null {
  const program = process.env["CITUS_START"];
  return program && existsSync(program) ? program : null;
}

/** Citus for Postgres 18, as an archive to be unpacked over its tree; null where there is none. */
export function citusArchive(): string | null {
  const start = citusProgram();
  if (process.platform !== "linux" || process.arch !== "x64" || start === null) return null;
  const name = readdirSync(dirname(start)).find((entry) => /^citus-.+-linux-x64\.tar\.gz$/.test(entry));
  return name === undefined ? null : join(dirname(start), name);
}

/** A copy of npm's Postgres with Citus in it. */
export async function citusPrograms(): Promise<CitusPrograms> {
  const archive = citusArchive();
  if (archive === null) throw new Error("no Citus: set CITUS_START to the start.mjs that its archive is beside");
  const plain = await postgresPrograms();
  const folder = await mkdtemp(join(tmpdir(), "partner-connect-citus-"));
  const [tree, sockets] = [join(folder, "postgres"), join(folder, "sockets")];
  await run("cp", ["-a", dirname(dirname(plain.postgres)), tree]);
  await run("tar", ["-xzf", archive, "-C", tree, "--no-same-owner"]);
  await run("chmod", ["-R", "a+rX", tree]);
  await mkdir(sockets, { mode: 0o700 });
  await chmod(folder, 0o755);
  if (plain.user) await chown(sockets, plain.user.uid, plain.user.gid);
  const programs = { ...plain, postgres: join(tree, "bin", "postgres"), initdb: join(tree, "bin", "initdb") };
  return { programs, sockets, remove: () => rm(folder, { recursive: true, force: true }) };
}
