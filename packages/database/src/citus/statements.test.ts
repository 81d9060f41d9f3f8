import { expect, test } from "vitest";
import { statementsOf } from "./statements.ts";

test.each<[string, string[]]>([
  ["", []],
  ["-- nothing; at all\n", []],
  ["SELECT 1", ["SELECT 1"]],
  ["SELECT 1;\n\nSELECT 2;\n", ["SELECT 1", "SELECT 2"]],
  ["-- a; b\nSELECT 1; -- c;\n", ["-- a; b\nSELECT 1"]],
  [
    "/* a; b */ SELECT ';', 'it''s;', E'\\';', \";\"; SELECT 2",
    ["/* a; b */ SELECT ';', 'it''s;', E'\\';', \";\"", "SELECT 2"],
  ],
  ["DO $$ BEGIN COMMIT; END $$; SELECT 2;", ["DO $$ BEGIN COMMIT; END $$", "SELECT 2"]],
  ["DO $a$ SELECT $$;$$; $a$; SELECT 2;", ["DO $a$ SELECT $$;$$; $a$", "SELECT 2"]],
  ["SELECT $1; SELECT a$b$c FROM d;", ["SELECT $1", "SELECT a$b$c FROM d"]],
])("the script %j is split into its statements", (script, statements) => {
  expect(statementsOf(script)).toEqual(statements);
});
