import { afterAll, beforeAll, expect, test } from "vitest";
import { connectDatabase } from "./pool/connect.ts";
import { freshDatabase, type TestDatabase } from "./testing.ts";

let database: TestDatabase;

beforeAll(async () => {
  database = await freshDatabase(process.env["TEST_DATABASE_URL"]);
});

afterAll(() => database.drop());

test("a fresh database is migrated and empty", async () => {
  const sql = connectDatabase(database.url, { name: "test" });
  const [row] = await sql`SELECT count(*)::int AS shops FROM directory.shops`;
  expect(row?.["shops"]).toBe(0);
  await sql.end();
});

test("each service's role reaches it with its own password", async () => {
  for (const [role, url] of [
    ["authorization_server", database.authorizationServerUrl],
    ["resource_server", database.resourceServerUrl],
  ] as const) {
    const sql = connectDatabase(url, { name: "test" });
    const [row] = await sql`SELECT current_user AS "user"`;
    expect(row?.["user"]).toBe(role);
    await sql.end();
  }
});
