import { readdir } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { MIGRATIONS, readMigrations } from "./migration-files.ts";
import { migrationProblems } from "./testing/migration-problems.ts";

const migrations = await readMigrations(MIGRATIONS);

describe("no migration holds up callers, or takes away what running services read", () => {
  test.each(migrations)("$filename", async ({ script }) => {
    expect(await migrationProblems(script)).toEqual([]);
  });
});

test("migrations are numbered without a gap, and every file of the folder is one", async () => {
  expect(migrations.map(({ version }) => version)).toEqual(migrations.map((_, index) => index + 1));
  expect(migrations.map(({ filename }) => filename)).toEqual((await readdir(MIGRATIONS)).toSorted());
});

describe("the rules find", () => {
  test.each([
    ["ALTER TABLE oauth.c ALTER COLUMN a TYPE bigint", /oauth\.c: a: changes a column's type/],
    ["ALTER TABLE oauth.c ADD COLUMN a text NOT NULL", /a: CONSTR_NOTNULL/],
    ["ALTER TABLE oauth.c ADD COLUMN a text CHECK (a <> '')", /a: CONSTR_CHECK/],
    ["ALTER TABLE oauth.c ADD COLUMN a text UNIQUE", /CONSTR_UNIQUE/],
    ["ALTER TABLE oauth.c ADD COLUMN a text REFERENCES b", /CONSTR_FOREIGN/],
    ["ALTER TABLE oauth.c ADD COLUMN a uuid DEFAULT gen_random_uuid()", /a: a default that is computed/],
    ["ALTER TABLE oauth.c ADD COLUMN a int GENERATED ALWAYS AS (b + 1) STORED", /a: CONSTR_GENERATED/],
    ["ALTER TABLE oauth.c ADD COLUMN a bigserial", /a: serial/],
    ["ALTER TABLE oauth.c ADD CONSTRAINT k CHECK (a > 0)", /k: reads the table whole/],
    ["ALTER TABLE oauth.c ADD CONSTRAINT k FOREIGN KEY (a) REFERENCES b", /k: reads the table whole/],
    ["ALTER TABLE oauth.c ADD PRIMARY KEY (a)", /reads the table whole/],
    ["ALTER TABLE oauth.c ALTER COLUMN a SET NOT NULL", /SET NOT NULL reads/],
    ["ALTER TABLE oauth.c DROP COLUMN a", /drops a column/],
    ["ALTER TABLE oauth.c RENAME COLUMN a TO b", /a renaming/],
    ["ALTER TABLE oauth.c RENAME TO d", /a renaming/],
    ["DROP TABLE oauth.c", /drops an OBJECT_TABLE/],
    ["DROP INDEX oauth.i", /drops an OBJECT_INDEX/],
    ["CREATE INDEX i ON oauth.c (a)", /oauth\.c: an index/],
    ["CREATE INDEX CONCURRENTLY i ON oauth.c (a)", /oauth\.c: an index/],
    ["UPDATE oauth.c SET a = 1", /changes many rows/],
    ["DELETE FROM oauth.c", /changes many rows/],
    ["INSERT INTO oauth.c SELECT * FROM oauth.d", /copies many rows/],
    ["TRUNCATE oauth.c", /TRUNCATE/],
    ["LOCK TABLE oauth.c", /LOCK/],
    ["DO $$ BEGIN EXECUTE 'alter table oauth.c add a int'; END $$", /inside a DO/],
  ])("%s", async (script, problem) => {
    expect(await migrationProblems(script)).toEqual([expect.stringMatching(problem)]);
  });

  test.each([
    "ALTER TABLE oauth.c ADD COLUMN a text, ADD COLUMN b int NOT NULL DEFAULT 1",
    "ALTER TABLE oauth.c ADD CONSTRAINT k CHECK (a > 0) NOT VALID",
    "ALTER TABLE oauth.c ADD CONSTRAINT k NOT NULL a NOT VALID",
    "ALTER TABLE oauth.c ADD CONSTRAINT k UNIQUE USING INDEX i",
    "ALTER TABLE oauth.c SET (fillfactor = 85)",
    "CREATE TABLE oauth.n (a int CHECK (a > 0)); CREATE INDEX i ON oauth.n (a); INSERT INTO oauth.n SELECT 1",
    "INSERT INTO oauth.c VALUES (1)",
  ])("nothing in %s", async (script) => {
    expect(await migrationProblems(script)).toEqual([]);
  });
});
