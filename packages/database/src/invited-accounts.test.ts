import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { connectDatabase, type Sql } from "./connect.ts";
import { freshDatabase, type TestDatabase } from "./testing.ts";

const MIGRATION = new URL("../migrations/017.do.invited-accounts.outside.sql", import.meta.url);

let database: TestDatabase;
let sql: Sql;

beforeAll(async () => {
  database = await freshDatabase(process.env["TEST_DATABASE_URL"]);
  sql = connectDatabase(database.url, { name: "test" });
});
afterAll(async () => {
  await sql?.end();
  await database?.drop();
});

test("accounts that invitations made before are unconfirmed, unless a reset link was used since [invitation.unconfirmed]", async () => {
  const events: [merchant: string, event: string, details: Record<string, string>][] = [
    ["operators", "merchant_create", {}],
    ["invited", "merchant_create", { email: "a@b.example", invited_to: "shop_1" }],
    ["invited", "merchant_set_password", { by: "change" }],
    ["confirmed", "merchant_create", { email: "a@b.example", invited_to: "shop_1" }],
    ["confirmed", "merchant_set_password", { by: "reset_link" }],
  ];
  for (const id of ["operators", "invited", "confirmed", "unrecorded"]) {
    await sql`INSERT INTO directory.merchants (id, email, name, password_hash, confirmed) VALUES (${id}, ${id}, 'A', '-', true)`;
  }
  for (const [merchant, event, details] of events) {
    await sql`
      INSERT INTO directory.audit_log (event, actor, merchant_id, details)
      VALUES (${event}, 'test', ${merchant}, ${sql.json(details)})`;
  }
  const accounts = () => sql`SELECT id, confirmed, invited_by, invited_to FROM directory.merchants ORDER BY id`;
  const found = [
    { id: "confirmed", confirmed: true, invited_by: null, invited_to: null },
    { id: "invited", confirmed: false, invited_by: null, invited_to: "shop_1" },
    { id: "operators", confirmed: true, invited_by: null, invited_to: null },
    { id: "unrecorded", confirmed: true, invited_by: null, invited_to: null },
  ];
  // Outside of a transaction it may run again, also after an operator's link confirmed an account.
  for (const confirmed of [false, true]) {
    await sql.unsafe(readFileSync(MIGRATION, "utf8"));
    expect(await accounts()).toEqual(found);
    await sql`UPDATE directory.merchants SET confirmed = true WHERE id = 'invited' AND ${!confirmed}`;
    if (!confirmed && found[1]) found[1].confirmed = true;
  }
});
