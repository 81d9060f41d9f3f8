import postgres from "postgres";
import { expect, test } from "vitest";
import { statementName } from "./watched-pool.ts";

// It never connects.
const sql = postgres("postgres://127.0.0.1:9/none", { fetch_types: false });
const nameOf = (query: unknown) =>
  statementName(query as { strings: readonly string[]; args: readonly unknown[] });

test("a statement's name consists of its verb and its tables", () => {
  const named = [
    [
      sql`SELECT doc FROM survey.responses WHERE id = ${"r_1"} FOR UPDATE`,
      "SELECT survey.responses",
    ],
    [sql`SELECT 1`, "SELECT"],
    [sql.unsafe("UPDATE oauth.connections SET status = $1", ["x"]), "UPDATE oauth.connections"],
    [
      sql`WITH found AS (SELECT id FROM directory.clients FOR NO KEY UPDATE) ${sql`INSERT INTO oauth.audit SELECT id FROM found`}`,
      "INSERT directory.clients oauth.audit",
    ],
    [
      sql`INSERT INTO survey.stamps VALUES (${1}) ON CONFLICT DO UPDATE SET x = 1`,
      "INSERT survey.stamps",
    ],
  ] as const;
  for (const [query, name] of named) expect.soft(nameOf(query)).toBe(name);
});

test("a statement's name contains no value", () => {
  expect(
    nameOf(sql`SELECT ${"oauth.secret"} FROM ${sql("oauth.other")} WHERE ${"UPDATE"} = 1`),
  ).toBe("SELECT");
});
