import { expect, onTestFinished, test } from "vitest";
import { migrationFolder } from "../testing/migration-folder.ts";
import { suiteDatabase } from "../testing/suite.ts";
import { migrate } from "./migrate.ts";
import { schemaDifferences } from "./schema-objects.ts";

const database = await suiteDatabase();
const sql = database.connect(database.url, { name: "test", connections: 1 });

async function differences(): Promise<Record<string, string[]>> {
  const found = Object.entries(await schemaDifferences(sql)).filter(
    ([, objects]) => objects.length > 0,
  );
  return Object.fromEntries(
    found.map(([what, objects]) => [what, objects.map(({ kind, name }) => `${kind} ${name}`)]),
  );
}

const CHANGES = `
  DROP INDEX oauth.connections_of_client;
  ALTER TABLE oauth.change_notes DROP CONSTRAINT change_notes_pkey;
  ALTER TABLE directory.clients DROP COLUMN website;
  ALTER TABLE survey.sources DROP CONSTRAINT sources_type_check, ALTER url SET NOT NULL;
  ALTER TABLE oauth.connections RESET (fillfactor);
  DROP TRIGGER stamps_note_change ON survey.stamps;
  ALTER TABLE survey.responses DISABLE TRIGGER responses_keep_places;
  CREATE OR REPLACE FUNCTION oauth.refuse_change() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END';
  REVOKE SELECT ON directory.client_members FROM authorization_server;
  GRANT SELECT (doc) ON survey.responses TO authorization_server;
  CREATE INDEX own ON directory.merchants (name);
  ALTER TABLE directory.merchants ADD CONSTRAINT own CHECK (name <> '') NOT VALID`;

test("every kind of difference from the migrations' schema is found, even after a later migration", async () => {
  expect(await differences()).toEqual({});
  for (const statement of CHANGES.split(";\n")) await sql.unsafe(statement);
  const expected = {
    missing: [
      "column directory.clients.website",
      "constraint change_notes_pkey on oauth.change_notes",
      "constraint sources_type_check on survey.sources",
      "grant SELECT ON directory.client_members TO authorization_server",
      "index oauth.connections_of_client",
      "trigger stamps_note_change on survey.stamps",
    ],
    changed: [
      "column survey.sources.url",
      "function oauth.refuse_change()",
      "table oauth.connections",
    ],
    broken: [
      "constraint own on directory.merchants",
      "trigger responses_keep_places on survey.responses",
    ],
    added: [
      "constraint own on directory.merchants",
      "grant SELECT (doc) ON survey.responses TO authorization_server",
      "index directory.own",
    ],
  };
  expect(await differences()).toEqual(expected);
  const folder = await migrationFolder(onTestFinished);
  await folder.add({ "1001.do.later.sql": "DROP INDEX oauth.change_notes_by_age" });
  await migrate(database.url, { folder: folder.url });
  expect(await differences()).toEqual({ ...expected, broken: expected.broken.slice(1) });
});
