import { glob, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { transaction } from "@partner-connect/database";
import { suiteDatabase } from "@partner-connect/database/testing/suite";
import { beforeEach, expect, test } from "vitest";
import { changeWithRecords, recordAudit, recordAuditOfEach } from "./index.ts";

const database = await suiteDatabase();
const sql = database.connect(database.url, {
  name: "audit-test",
  onCommit: (line) => lines.push(line),
});
const lines: object[] = [];

beforeEach(() => void lines.splice(0));

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const operator = { name: "operator:test", ip: "192.0.2.1", requestId: "req-1" };

test("an audit record has the actor, IP address and request id, and the id of the client or shop", async () => {
  await recordAudit(
    sql,
    { action: "client_create", clientId: "c1", detail: { name: 'Ünï "App"' } },
    operator,
  );
  await recordAudit(
    sql,
    { action: "shop_set_plan", shopId: "s1", detail: { from: "standard" } },
    { name: "system" },
  );
  const columns = sql`event, actor, host(ip) AS ip, request_id, details`;
  const recorded = [
    ...(await sql`SELECT ${columns}, client_id FROM directory.audit_log`),
    ...(await sql`SELECT ${columns}, shop_id FROM oauth.audit_log`),
  ];
  const by = { actor: "operator:test", ip: "192.0.2.1", request_id: "req-1" };
  expect(recorded).toEqual([
    { event: "client_create", ...by, client_id: "c1", details: { name: 'Ünï "App"' } },
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

const timesOf = async (log: "oauth" | "directory", event: string) =>
  (
    await sql<
      { at: Date }[]
    >`SELECT at FROM ${sql(`${log}.audit_log`)} WHERE event = ${event} ORDER BY at, id`
  ).map(({ at }) => at.toISOString());

const NONE = { client_id: null, shop_id: null, connection_id: null, merchant_id: null };

test("after the commit, an audit record is logged with its ids and time, but not its IP address and details", async () => {
  await transaction(sql, async (inside) => {
    const detail = { email: "ada@shop.example", name: "Ada" };
    await recordAudit(inside, { action: "merchant_update", merchantId: "m1", detail }, operator);
    expect(lines).toEqual([]);
  });
  const [at] = await timesOf("directory", "merchant_update");
  const by = { actor: "operator:test", request_id: "req-1" };
  expect(lines).toEqual([{ ...NONE, at, action: "merchant_update", merchant_id: "m1", ...by }]);
});

test("each of several changed rows has its own audit record, logged with the row's ids", async () => {
  const rows = (ids: readonly string[]) => sql`FROM unnest(${ids}::text[]) AS u (id)`;
  const record = {
    action: "revoke",
    actor: { name: "system" },
    shopId: sql`'s2'`,
    connectionId: sql`id`,
  } as const;
  await recordAuditOfEach(sql, {
    ...record,
    detail: sql`'{}'::jsonb`,
    from: rows(["con_1", "con_2"]),
  });
  const times = await timesOf("oauth", "revoke");
  const line = { ...NONE, action: "revoke", actor: "system", shop_id: "s2", request_id: null };
  expect(lines).toEqual(
    ["con_1", "con_2"].map((connection_id, n) => ({ ...line, at: times[n], connection_id })),
  );
});

test("a statement with an audit record returns the changed rows, and logs the record after the commit", async () => {
  const change = (renamed: string) =>
    changeWithRecords(
      sql,
      {
        action: "shop_rename",
        actor: operator,
        shopId: sql`id`,
        detail: sql`'{}'::jsonb`,
        from: sql`FROM renamed`,
      },
      sql`renamed AS (UPDATE directory.shops SET name = ${renamed} WHERE name <> ${renamed} RETURNING id)`,
      sql`SELECT id FROM renamed`,
    );
  await sql`INSERT INTO directory.shops (id, name, plan) VALUES ('s3', 'Hats', 'standard')`;
  expect(await change("Hats")).toEqual([]);
  expect(lines).toEqual([]);
  expect(await change("Caps")).toMatchObject([{ id: "s3" }]);
  const [at] = await timesOf("oauth", "shop_rename");
  const by = { actor: "operator:test", request_id: "req-1" };
  expect(lines).toEqual([{ ...NONE, at, action: "shop_rename", shop_id: "s3", ...by }]);
});

test("a change that is rolled back stores and logs no audit record", async () => {
  const work = transaction(sql, async (inside) => {
    await recordAudit(inside, { action: "merchant_create", merchantId: "gone" }, operator);
    throw new Error("no");
  });
  await expect(work).rejects.toThrow("no");
  expect(await sql`SELECT FROM directory.audit_log WHERE merchant_id = 'gone'`).toHaveLength(0);
  expect(lines).toEqual([]);
});

test("only packages/audit inserts into the audit log", async () => {
  const sources = await Array.fromAsync(
    glob("{packages,services}/*/src/**/*.ts", {
      cwd: ROOT,
      exclude: (path) =>
        path.includes("node_modules") || /[.]test[.]ts$|packages.audit./.test(path),
    }),
  );
  expect(sources).toEqual(
    expect.arrayContaining(["packages/connections/src/refresh.ts", "services/worker/src/main.ts"]),
  );
  for (const path of sources) {
    expect(await readFile(join(ROOT, path), "utf8"), path).not.toMatch(
      /INSERT INTO \w*\.?audit_log/,
    );
  }
});
