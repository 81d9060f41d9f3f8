import { execFile } from "node:child_process";
import { chmod, chown, copyFile, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { postgresPrograms } from "@partner-connect/local-stack/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeCluster, type PostgresCluster } from "../../harness/engines/postgres-cluster.ts";
import { onPath } from "../../programs.ts";
import { recipe, runShell, type Step } from "../recipe.ts";
import { restoreDrill } from "./restore-drill.ts";

const [passphrase, configuration, settings, firstBackup] = (await recipe("postgres.md", "Backup")) as [
  Step,
  Step,
  Step,
  Step,
];
const [restore, , lastBackup] = (await recipe("postgres.md", "Restore")) as [Step, Step, Step];

/** Puts the program into this folder. The first version that knows Postgres 18 is 2.55. */
async function pgBackRest(folder: string): Promise<void> {
  const program = onPath(["pgbackrest"]) ?? expect.fail("no pgbackrest on the PATH");
  const { stdout } = await promisify(execFile)(program, ["version"]);
  expect(Number(/(\d+\.\d+)/.exec(stdout)?.[1]), stdout).toBeGreaterThanOrEqual(2.55);
  await copyFile(program, join(folder, "pgbackrest"));
}

let folder: string;
let cluster: PostgresCluster;
let user: { readonly uid?: number; readonly gid?: number };
let env: Readonly<Record<string, string>>;

/** The page's text with the folders of this test. */
const here = ({ text }: Step): string =>
  text
    .replaceAll("/etc/pgbackrest", `${folder}/etc`)
    .replaceAll("/var/lib/postgresql/18/main", cluster.folder)
    .replaceAll("/backup/partner-connect", `${folder}/repository`)
    .replaceAll("/var/spool/pgbackrest", `${folder}/spool`)
    .replaceAll(/ -o postgres -g postgres|^chown postgres:postgres.*$/gm, "");

const asPostgres = (step: Step, change = (text: string) => text) => runShell({ text: change(here(step)) }, env, user);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "partner-connect-pgbackrest-"));
  await chmod(folder, 0o755);
  await pgBackRest(folder);
  const { user: found } = await postgresPrograms();
  user = found ? { uid: found.uid, gid: found.gid } : {};
  for (const name of ["etc", "repository", "spool", "log", "lock", "socket"]) {
    await mkdir(join(folder, name));
    if (found) await chown(join(folder, name), found.uid, found.gid);
  }
  env = {
    PATH: [folder, process.env["PATH"]].join(delimiter),
    PGBACKREST_CONFIG: join(folder, "etc/pgbackrest.conf"),
    PGBACKREST_CONFIG_INCLUDE_PATH: join(folder, "etc/conf.d"),
    PGBACKREST_LOG_PATH: join(folder, "log"),
    PGBACKREST_LOCK_PATH: join(folder, "lock"),
    PGBACKREST_PG1_SOCKET_PATH: join(folder, "socket"),
  };
  const options = { local: "trust" as const, env };
  cluster = await makeCluster(options);
  Object.assign(env, { PGBACKREST_PG1_PORT: String(cluster.port), PGBACKREST_PG1_USER: "postgres" });
  await asPostgres(passphrase);
  await writeFile(join(folder, "etc/pgbackrest.conf"), here(configuration));
  await cluster.start(archiving());
  await asPostgres(firstBackup);
}, 300_000);
afterAll(async () => {
  await cluster?.remove();
  await rm(folder, { recursive: true, force: true });
});

/** The page's lines of postgresql.conf. */
function archiving(): Record<string, string> {
  const lines = [...settings.text.matchAll(/^(\w+) = '?(.*?)'?$/gm)];
  const page = Object.fromEntries(lines.map(([, name = "", value = ""]) => [name, value]));
  return { ...page, unix_socket_directories: join(folder, "socket") };
}

test("pgBackRest, set up as postgres.md has it: a copy that was made under load, and the log up to a time, become a new stack", {
  timeout: 300_000,
}, async () => {
  let point = "";
  await restoreDrill({
    name: "pgBackRest, encrypted repository",
    cluster,
    copy: async () => void (await asPostgres(lastBackup)),
    async mark(sql) {
      const [row] = await sql<{ now: string }[]>`SELECT clock_timestamp()::text AS now`;
      point = row?.now ?? "";
    },
    async restore() {
      await mkdir(cluster.folder, { mode: 0o700 });
      if (user.uid && user.gid) await chown(cluster.folder, user.uid, user.gid);
      expect(restore.text).toContain("--target='2026-03-01 09:41:00+00'");
      await asPostgres(restore, (text) => text.replace("2026-03-01 09:41:00+00", point));
      await cluster.start(archiving());
    },
  });
  await asPostgres(lastBackup);
  const info = await asPostgres({ language: "sh", text: "pgbackrest --stanza=partner-connect info" });
  expect(info).toMatch(/status: ok\n +cipher: aes-256-cbc/);
  // Two full copies are kept of the three.
  expect(info.match(/full backup: /g)).toHaveLength(2);
});
