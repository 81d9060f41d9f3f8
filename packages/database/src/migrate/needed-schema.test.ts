import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { connectDatabase } from "../pool/connect.ts";
import type { Sql } from "../pool/sql.ts";
import { freshDatabase, type TestDatabase } from "../testing.ts";
import { migrate } from "./migrate.ts";
import { requireKnownSchema } from "./needed-schema.ts";

const INDEX = new URL("../index.ts", import.meta.url).href;

let database: TestDatabase;
let sql: Sql;

beforeAll(async () => {
  database = await freshDatabase(process.env["TEST_DATABASE_URL"]);
  sql = connectDatabase(database.url, { name: "test", connections: 1 });
});
afterAll(async () => {
  await sql.end();
  await database.drop();
});

/** How a process starts that a service's role connects. */
async function start(url: string) {
  const script = `const { connectDatabase, requireStartOnSchema } = await import(${JSON.stringify(INDEX)});
    await requireStartOnSchema(connectDatabase(process.env.DATABASE_URL, { name: "test" })); console.log("serves"); process.exit(0)`;
  const env = { PATH: process.env["PATH"], DATABASE_URL: url };
  return await promisify(execFile)(process.execPath, ["--input-type=module", "--eval", script], { env }).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    ({ code, stdout, stderr }) => ({ code, stdout, stderr }),
  );
}

const roles = () => [database.authorizationServerUrl, database.resourceServerUrl, database.notifierUrl];

test("a database that has newer migrations, and needs none of them, is worked on", async () => {
  await sql`INSERT INTO public.schema_version (version, name, md5, run_at) VALUES (1000, 'newer', '', now())`;
  await requireKnownSchema(sql);
  expect(await migrate(database.url)).toEqual([]);
  for (const url of roles()) expect(await start(url)).toEqual({ code: 0, stdout: "serves\n", stderr: "" });
});

test("one that needs a newer release is refused at the start of each service, and by migrate, which changes nothing", async () => {
  await sql`INSERT INTO directory.needed_schemas VALUES (1000, 'the moon would fall')`;
  const message =
    /^the database needs a release that knows migration 1000 \(else the moon would fall\), and this one knows \d+$/;
  const error = { code: "SCHEMA_NEWER", message: expect.stringMatching(message) };
  await expect(requireKnownSchema(sql)).rejects.toMatchObject(error);
  await expect(migrate(database.url)).rejects.toMatchObject(error);
  for (const url of roles()) {
    const { code, stdout, stderr } = await start(url);
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toMatch(
      /^configuration: the database needs a release .*; use the newer release, or see .*release\.md.*\n$/,
    );
  }
});

test("one that is older than the table of needs is worked on", async () => {
  await sql`DROP TABLE directory.needed_schemas`;
  await requireKnownSchema(sql);
  expect(await start(database.resourceServerUrl)).toMatchObject({ code: 0 });
});
