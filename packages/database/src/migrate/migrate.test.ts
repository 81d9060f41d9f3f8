import { randomBytes } from "node:crypto";
import { readdir } from "node:fs/promises";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { connectDatabase } from "../pool/connect.ts";
import type { Sql } from "../pool/sql.ts";
import { derivedRolePasswords } from "../roles/role-password.ts";
import { freshDatabase, type TestDatabase } from "../testing.ts";
import { migrate } from "./migrate.ts";

const NAME = `test_${randomBytes(8).toString("hex")}`;
let cluster: Sql;
let url: string;

beforeAll(async () => {
  const admin = new URL(process.env["TEST_DATABASE_URL"] ?? "");
  cluster = connectDatabase(admin.href, { name: "test", connections: 1 });
  await cluster`CREATE DATABASE ${cluster(NAME)}`;
  admin.pathname = `/${NAME}`;
  url = admin.href;
});
afterAll(async () => {
  await cluster`DROP DATABASE ${cluster(NAME)} WITH (FORCE)`;
  await cluster.end();
});

test("of several that migrate at once one applies every migration, and the others find them done", async () => {
  const files = await readdir(new URL("../../migrations", import.meta.url));
  expect(files.map((name) => Number.parseInt(name, 10)).toSorted((a, b) => a - b)).toEqual(files.map((_, n) => n + 1));
  const applied = await Promise.all(Array.from({ length: 5 }, () => migrate(url)));
  expect(applied.map(({ length }) => length).toSorted((a, b) => a - b)).toEqual([0, 0, 0, 0, files.length]);
  expect(await migrate(url)).toEqual([]);
});

test("databases of one cluster may be migrated at once, although their roles are the cluster's", async () => {
  const admin = process.env["TEST_DATABASE_URL"] ?? "";
  const { password } = new URL(admin);
  // The passwords that they have: other tests use them.
  const passwords = derivedRolePasswords(password);
  const databases = await Promise.all(Array.from({ length: 6 }, () => freshDatabase(admin)));
  for (let round = 0; round < 5; round++) {
    await Promise.all(databases.map((database) => migrate(database.url, { passwords })));
  }
  await Promise.all(databases.map((database) => database.drop()));
});

describe("a database that another version has migrated is refused, and nothing is changed", () => {
  let database: TestDatabase;
  let sql: Sql;
  beforeEach(async () => {
    database = await freshDatabase(process.env["TEST_DATABASE_URL"]);
    sql = connectDatabase(database.url, { name: "test", connections: 1 });
  });
  afterEach(async () => {
    await sql.end();
    await database.drop();
  });

  const applied = () => sql`SELECT * FROM public.schema_version ORDER BY version`;

  test.each([
    ["one of its migrations differs", "its migration 3 oauth differs from ours"],
    ["it has a migration that we don't have", "its migration 1000 later is none of ours"],
  ])("%s", async (_, problem) => {
    if (problem.includes("oauth")) await sql`UPDATE public.schema_version SET md5 = 'other' WHERE version = 3`;
    else await sql`INSERT INTO public.schema_version (version, name, md5) VALUES (1000, 'later', '')`;
    await sql`DELETE FROM public.schema_version WHERE version = 8`;
    const before = [...(await applied())];
    const { pathname } = new URL(database.url);
    await expect(migrate(database.url)).rejects.toMatchObject({
      code: "SCHEMA_HISTORY",
      message: `the database ${pathname.slice(1)} was migrated by another version: ${problem}`,
      hint: `use that version, or start afresh: DROP DATABASE ${pathname.slice(1)}`,
    });
    expect([...(await applied())]).toEqual(before);
  });
});
