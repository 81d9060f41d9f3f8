import { expect, test } from "vitest";
import { suiteDatabase } from "../testing/suite.ts";
import { unmigratedDatabase } from "../testing.ts";
import { migrate } from "./migrate.ts";
import { MIGRATIONS, readMigrations } from "./migration-files.ts";
import { schemaCheck, setSchemaVersion } from "./schema-version.ts";

const newest = (await readMigrations(MIGRATIONS)).at(-1)?.version ?? 0;
const older = (version: number) =>
  `the database has schema ${version}, this version needs ${newest}`;

const database = await suiteDatabase();
const sql = database.connect(database.url, { name: "test", connections: 1 });
const checkAs = (url: string) =>
  schemaCheck(database.connect(url, { name: "test", connections: 1 }));

test("a service is ready only once its database has every migration of its release, or a newer schema", async () => {
  const { authorizationServerUrl, resourceServerUrl, workerUrl, backOfficeUrl } = database;
  const checks = [authorizationServerUrl, resourceServerUrl, workerUrl, backOfficeUrl].map(checkAs);
  await setSchemaVersion(sql, 1);
  for (const check of checks)
    await expect(check()).rejects.toThrow(`${older(1)}: run 'partner-connect migrate' first`);
  await migrate(database.url);
  for (const check of checks) await check();
  await setSchemaVersion(sql, 1000);
  await checkAs(resourceServerUrl)();
});

test("the schema check counts an unmigrated database as schema 0", async () => {
  const other = await unmigratedDatabase(process.env["TEST_DATABASE_URL"]);
  await expect(checkAs(other.url)()).rejects.toThrow(older(0));
  await other.drop();
});

test("the schema check passes while the database is unreachable or does not answer in time", async () => {
  await checkAs("postgres://u:p@127.0.0.1:1/x")();
  const only = database.connect(database.url, { name: "test", connections: 1 });
  await only.begin(async () => await schemaCheck(only)());
});
