import { connectDatabase, type Sql, transaction } from "@partner-connect/database";
import { freshDatabase, type TestDatabase } from "@partner-connect/database/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { recordAudit } from "./index.ts";

let database: TestDatabase;
let sql: Sql;

beforeAll(async () => {
  database = await freshDatabase(process.env["TEST_DATABASE_URL"]);
  sql = connectDatabase(database.url, { name: "audit-test" });
});

afterAll(async () => {
  await sql?.end();
  await database?.drop();
});

const operator = { name: "operator:test", ip: "192.0.2.1", requestId: "req-1" };

test("a record names who did it, from where, in which request, and what it concerns", async () => {
  await recordAudit(sql, { action: "client_create", clientId: "c1", detail: { name: 'Ünï "App"' } }, operator);
  await recordAudit(sql, { action: "shop_set_plan", shopId: "s1", detail: { from: "standard" } }, { name: "system" });
  expect(
    await sql`SELECT event, actor, host(ip) AS ip, request_id, client_id, details FROM directory.audit_log`,
  ).toEqual([
    {
      event: "client_create",
      actor: "operator:test",
      ip: "192.0.2.1",
      request_id: "req-1",
      client_id: "c1",
      details: { name: 'Ünï "App"' },
    },
  ]);
  expect(await sql`SELECT event, actor, ip, request_id, shop_id, details FROM oauth.audit_log`).toEqual([
    {
      event: "shop_set_plan",
      actor: "system",
      ip: null,
      request_id: null,
      shop_id: "s1",
      details: { from: "standard" },
    },
  ]);
});

test("a change that is rolled back leaves no record", async () => {
  const work = transaction(sql, async (inside) => {
    await recordAudit(inside, { action: "merchant_create", merchantId: "gone" }, operator);
    throw new Error("no");
  });
  await expect(work).rejects.toThrow("no");
  expect(await sql`SELECT FROM directory.audit_log WHERE merchant_id = 'gone'`).toHaveLength(0);
});
