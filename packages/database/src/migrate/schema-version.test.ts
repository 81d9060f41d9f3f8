import { afterAll, beforeAll, expect, test } from "vitest";
import { connectDatabase } from "../pool/connect.ts";
import type { Sql } from "../pool/sql.ts";
import { freshDatabase, type TestDatabase, unmigratedDatabase } from "../testing.ts";
import { migrate } from "./migrate.ts";
import { MIGRATIONS, readMigrations } from "./migration-files.ts";
import { schemaCheck } from "./schema-version.ts";

const ADMIN_URL = process.env["TEST_DATABASE_URL"];
const newest = (await readMigrations(MIGRATIONS)).at(-1)?.version ?? 0;

let database: TestDatabase;
let sql: Sql;
beforeAll(async () => {
  database = await freshDatabase(ADMIN_URL);
  sql = connectDatabase(database.url, { name: "test", connections: 1 });
});
afterAll(async () => {
  await sql.end();
  await database.drop();
});

const services = () => [
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

test("a service on a migrated database passes", async () => {
  for (const url of services()) {
    const { check, end } = await checkAs(url);
    await check();
    await end();
  }
});

test("a service that was started before a migration says so until it is applied", async () => {
  const checks = await Promise.all(services().map(checkAs));
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
  const other = await unmigratedDatabase(ADMIN_URL);
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
