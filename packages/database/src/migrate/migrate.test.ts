import { readdir } from "node:fs/promises";
import { expect, onTestFinished, test } from "vitest";
import { connectDatabase } from "../pool/connect.ts";
import { derivedRolePasswords } from "../roles/role-password.ts";
import { freshDatabase, unmigratedDatabase } from "../testing.ts";
import { migrate } from "./migrate.ts";

const ADMIN_URL = process.env["TEST_DATABASE_URL"] ?? "";

test("one of several concurrent runs of migrate applies every migration, and the other runs apply none", async () => {
  const files = await readdir(new URL("../../migrations", import.meta.url));
  expect(files.map((name) => Number.parseInt(name, 10)).toSorted((a, b) => a - b)).toEqual(
    files.map((_, n) => n + 1),
  );
  const { url, drop } = await unmigratedDatabase(ADMIN_URL);
  onTestFinished(drop);
  const applied = await Promise.all(Array.from({ length: 5 }, () => migrate(url)));
  expect(applied.map(({ length }) => length).toSorted((a, b) => a - b)).toEqual([
    0,
    0,
    0,
    0,
    files.length,
  ]);
  expect(await migrate(url)).toEqual([]);
});

test("databases of one server may be migrated concurrently, although they share the server's roles", async () => {
  const { password } = new URL(ADMIN_URL);
  // The passwords that the roles already have, because other tests use them.
  const passwords = derivedRolePasswords(password);
  const databases = await Promise.all(Array.from({ length: 6 }, () => freshDatabase(ADMIN_URL)));
  for (let round = 0; round < 5; round++) {
    await Promise.all(databases.map((database) => migrate(database.url, { passwords })));
  }
  await Promise.all(databases.map((database) => database.drop()));
});

test("migrate refuses a database that another version has migrated, and applies no migration", async () => {
  const { url, drop } = await freshDatabase(ADMIN_URL);
  const sql = connectDatabase(url, { name: "test", connections: 1 });
  onTestFinished(() => sql.end().then(drop));
  const name = new URL(url).pathname.slice(1);
  const applied = () => sql`SELECT * FROM public.schema_version ORDER BY version`;
  await sql`DELETE FROM public.schema_version WHERE version = 8`;
  for (const [make, problem] of [
    [
      sql`INSERT INTO public.schema_version (version, name, md5) VALUES (1000, 'later', '')`,
      "1000 later is none of ours",
    ],
    [
      sql`UPDATE public.schema_version SET md5 = 'other' WHERE version = 3`,
      "3 oauth differs from ours",
    ],
  ] as const) {
    await make;
    const before = [...(await applied())];
    await expect(migrate(url)).rejects.toMatchObject({
      code: "SCHEMA_HISTORY",
      message: `the database ${name} was migrated by another version: its migration ${problem}`,
      hint: `use that version, or start afresh: DROP DATABASE ${name}`,
    });
    expect([...(await applied())]).toEqual(before);
    await sql`DELETE FROM public.schema_version WHERE version = 1000`;
  }
});
