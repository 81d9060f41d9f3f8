import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { connectDatabase } from "../pool/connect.ts";
import { freshDatabase, type TestDatabase } from "../testing.ts";

const INDEX = new URL("../index.ts", import.meta.url).href;

let database: TestDatabase;

beforeAll(async () => {
  database = await freshDatabase(process.env["TEST_DATABASE_URL"]);
});
afterAll(() => database.drop());

/** What a process says that requires sessions of its own as the role. */
async function start(url: string, role: string) {
  const script = `const { requireOwnSession } = await import(${JSON.stringify(INDEX)});
    await requireOwnSession(process.env.DATABASE_URL, ${JSON.stringify(role)}); console.log("serves"); process.exit(0)`;
  const env = { PATH: process.env["PATH"], DATABASE_URL: url };
  return await promisify(execFile)(process.execPath, ["--input-type=module", "--eval", script], { env }).then(
    ({ stdout, stderr }) => ({ stdout, stderr }),
    ({ stdout, stderr }) => ({ stdout, stderr }),
  );
}

test("a direct connection with the role's settings is right, and leaves no session behind", async () => {
  expect(await start(database.resourceServerUrl, "resource_server")).toEqual({ stdout: "serves\n", stderr: "" });
  const sql = connectDatabase(database.url, { name: "test", connections: 1 });
  const left = () =>
    sql`SELECT 1 FROM pg_stat_activity WHERE application_name = 'resource_server start' AND datname = current_database()`;
  await expect.poll(async () => (await left()).length).toBe(0);
  await sql.end();
});

test("a session without the role's settings is refused, by their names", async () => {
  const { stdout, stderr } = await start(database.authorizationServerUrl, "resource_server");
  expect(stdout).toBe("");
  expect(stderr).toMatch(
    /^configuration: sessions of resource_server lack (?:plan_cache_mode = force_generic_plan, )?enable_seqscan = off, .*statement_timeout = 3s: run 'partner-connect migrate'.*\n$/,
  );
});

test("while nobody can be asked a process may start", async () => {
  const nowhere = "postgres://u:p@127.0.0.1:1,127.0.0.1:2/x";
  expect(await start(nowhere, "resource_server")).toEqual({ stdout: "serves\n", stderr: "" });
});
