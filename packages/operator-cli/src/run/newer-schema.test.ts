import { expect, test } from "vitest";
import { operatorOnOwnDatabase } from "../testing/own-database.ts";
import { refused } from "../testing.ts";

const { sql, cli } = await operatorOnOwnDatabase();

test("every command, migrate and doctor too, refuses a database that needs a newer release, and does nothing", async () => {
  await sql`INSERT INTO directory.needed_schemas VALUES (1000, 'the moon would fall')`;
  const line = refused(
    /needs a release that knows migration 1000 \(else the moon would fall\).*; use the newer release/,
  );
  const create = ["merchant", "create", "--email", "a@b.example", "--password", "correct horse", "--name", "A"];
  for (const words of [create, ["client", "list"], ["migrate"], ["doctor"], ["purge", "--yes"]]) {
    expect(await cli(...words)).toEqual(line);
  }
  expect((await cli("client", "list", "--json")).stderr).toContain('"error":"SCHEMA_NEWER"');
  expect((await sql`SELECT FROM directory.merchants`).count).toBe(0);
  await sql`DELETE FROM directory.needed_schemas WHERE version = 1000`;
  expect(await cli.json(...create)).toMatchObject({ email: "a@b.example" });
});
