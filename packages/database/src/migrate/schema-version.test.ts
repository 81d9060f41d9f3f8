import { expect, test } from "vitest";
import { connectDatabase } from "../pool/connect.ts";
import { suiteDatabase } from "../testing/suite.ts";
import { unmigratedDatabase } from "../testing.ts";
import { migrate } from "./migrate.ts";
import { MIGRATIONS, readMigrations } from "./migration-files.ts";
import { schemaCheck } from "./schema-version.ts";

const newest = (await readMigrations(MIGRATIONS)).at(-1)?.version ?? 0;

const database = await suiteDatabase();
const sql = database.connect(database.url, { name: "test", connections: 1 });
const services = [
  database.authorizationServerUrl,
  database.resourceServerUrl,
  database.workerUrl,
  database.backOfficeUrl,
];

async function checkAs(url: string) {
  const service = connectDatabase(url, { name: "test", connections: 1 });
  const check = schemaCheck(service);
  return { check, end: () => service.end() };
}

test("a service that was started before a migration says so until it is applied, and then passes", async () => {
  const checks = await Promise.all(services.map(checkAs));
  await sql`CREATE OR REPLACE FUNCTION directory.schema_version() RETURNS integer LANGUAGE sql STABLE RETURN 1`;
  for (const { check } of checks) {
    await expect(check()).rejects.toThrow(
      `the database has schema 1, this version needs ${newest}: run 'partner-connect migrate' first`,
    );
  }
  await migrate(database.url);
  for (const { check, end } of checks) {
    await check();
    await end();
  }
});

test("a service passes on a newer schema, beside which it runs until it is replaced", async () => {
  await sql`CREATE OR REPLACE FUNCTION directory.schema_version() RETURNS integer LANGUAGE sql STABLE RETURN 1000`;
  const { check, end } = await checkAs(database.resourceServerUrl);
  await check();
  await end();
  await migrate(database.url);
});

test("a database that was never migrated has schema 0", async () => {
  const other = await unmigratedDatabase(process.env["TEST_DATABASE_URL"]);
  const { check, end } = await checkAs(other.url);
  await expect(check()).rejects.toThrow(`the database has schema 0, this version needs ${newest}`);
  await end();
  await other.drop();
});

test("a database that is away fails another check, not this one", async () => {
  const { check, end } = await checkAs("postgres://u:p@127.0.0.1:1/x");
  await check();
  await end();
});
