import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { freePort } from "@partner-connect/service-runtime/free-port";
import { temporaryFolder } from "@partner-connect/service-runtime/testing";
import { expect, onTestFinished, test } from "vitest";
import { connectDatabase } from "../pool/connect.ts";
import { suiteDatabase } from "../testing/suite.ts";

const INDEX = new URL("../index.ts", import.meta.url).href;

const database = await suiteDatabase();

/** The error of a process that requires dedicated sessions as the role. */
async function start(url: string, role: string) {
  const script = `const { requireOwnSession } = await import(${JSON.stringify(INDEX)});
    await requireOwnSession(process.env.DATABASE_URL, ${JSON.stringify(role)}); console.log("serves"); process.exit(0)`;
  const env = { PATH: process.env["PATH"], DATABASE_URL: url };
  const outputs = ({ stdout, stderr }: Record<"stdout" | "stderr", string>) => ({ stdout, stderr });
  const words = ["--input-type=module", "--eval", script];
  return await promisify(execFile)(process.execPath, words, { env }).then(outputs, outputs);
}

const SERVES = { stdout: "serves\n", stderr: "" };

test("a direct connection with the role's settings is right, and leaves no session behind", async () => {
  expect(await start(database.resourceServerUrl, "resource_server")).toEqual(SERVES);
  const sql = database.connect(database.url, { name: "test", connections: 1 });
  const left = () =>
    sql`SELECT FROM pg_stat_activity WHERE application_name = 'resource_server start' AND datname = current_database()`;
  await expect.poll(left).toHaveLength(0);
});

test("a session without the role's settings is refused, by their names", async () => {
  const { stdout, stderr } = await start(database.authorizationServerUrl, "resource_server");
  expect(stdout).toBe("");
  expect(stderr).toMatch(
    /^configuration: sessions of resource_server lack (?:plan_cache_mode = force_generic_plan, )?enable_seqscan = off, .*statement_timeout = 3s: run 'partner-connect migrate'.*\n$/,
  );
});

test("a process may start while the database is down", async () => {
  const nowhere = "postgres://u:p@127.0.0.1:1,127.0.0.1:2/x";
  expect(await start(nowhere, "resource_server")).toEqual(SERVES);
});

/** PgBouncer before the run's server, with its defaults but for the mode. @returns the resource server's URL through it */
async function startPgBouncer(mode: string): Promise<string> {
  const folder = temporaryFolder(onTestFinished);
  const { username, password, hostname, port, pathname } = new URL(database.resourceServerUrl);
  const listen = await freePort();
  const file = join(folder, "pgbouncer.ini");
  await writeFile(join(folder, "users.txt"), `"${username}" "${decodeURIComponent(password)}"\n`);
  await writeFile(
    file,
    `[databases]
* = host=${hostname} port=${port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${listen}
unix_socket_dir =
pidfile =
auth_type = scram-sha-256
auth_file = ${join(folder, "users.txt")}
pool_mode = ${mode}
`,
  );
  await chmod(folder, 0o755);
  // It refuses to run as root.
  const user = process.getuid?.() === 0 ? ["-u", "nobody"] : [];
  const child = spawn("pgbouncer", [...user, file], { stdio: "ignore" });
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await once(child, "exit");
  });
  const url = `postgres://${username}:${password}@127.0.0.1:${listen}${pathname}`;
  const sql = connectDatabase(url, { name: "test", connections: 1 });
  await expect.poll(() => sql`SELECT`.catch(() => [])).toHaveLength(1);
  await sql.end({ timeout: 0 });
  return url;
}

test("a pooler that keeps a session to its client is right", async () => {
  expect(await start(await startPgBouncer("session"), "resource_server")).toEqual(SERVES);
});

test.each(["transaction", "statement"])("a pooler that shares sessions (pool_mode=%s) is refused", async (mode) => {
  expect(await start(await startPgBouncer(mode), "resource_server")).toEqual({
    stdout: "",
    stderr: "configuration: DATABASE_URL leads to a pooler that shares sessions: PgBouncer needs pool_mode=session\n",
  });
});
