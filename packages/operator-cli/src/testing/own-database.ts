import { connectDatabase } from "@partner-connect/database";
import { freshDatabase } from "@partner-connect/database/testing";
import { afterAll } from "vitest";
import { operator } from "../testing.ts";

/** An operator on a database of the test file's own, which goes with it. To be called at the top of the file. */
export async function operatorOnOwnDatabase(variables: Readonly<Record<string, string>> = {}) {
  const database = await freshDatabase(process.env["TEST_DATABASE_URL"]);
  const sql = connectDatabase(database.url, { name: "cli-test" });
  afterAll(async () => {
    await sql.end();
    await database.drop();
  });
  return { database, sql, cli: operator({ DATABASE_URL: database.url, ...variables }) };
}
