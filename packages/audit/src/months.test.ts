import { connectDatabase, isOnCitus, type Sql, transaction } from "@partner-connect/database";
import { freshDatabase, type TestDatabase } from "@partner-connect/database/testing";
import { afterEach, beforeEach, expect, test } from "vitest";
import { makeMonths, pruneMonths } from "./index.ts";

let database: TestDatabase;
let sql: Sql;
/** Connected as the role back_office, not as the owner. */
let backOffice: Sql;
let now: Date;

beforeEach(async () => {
  database = await freshDatabase(process.env["TEST_DATABASE_URL"]);
  // Far from UTC, as an operator's machine may be.
  const settings = { TimeZone: "Pacific/Auckland" };
  sql = connectDatabase(database.url, { name: "audit-test", connections: 8, settings });
  backOffice = connectDatabase(database.backOfficeUrl, { name: "audit-test" });
  // Three years ago, because only months that ended long ago can be dropped.
  now = new Date();
  now.setUTCFullYear(now.getUTCFullYear() - 3);
});
afterEach(async () => {
  await sql?.end();
  await backOffice?.end();
  await database?.drop();
});

const operator = { name: "operator:test" };
const TABLES = ["oauth.audit_log", "directory.audit_log", "oauth.api_usage"];
const LOGS = TABLES.slice(0, 2);

/** Inserts a record with this time into each table. */
async function recordAt(at: string): Promise<void> {
  await sql`INSERT INTO oauth.audit_log (shop_id, event, actor, at) VALUES ('s', ${at}, 'test', ${at}::text::timestamptz)`;
  await sql`INSERT INTO directory.audit_log (event, actor, at) VALUES (${at}, 'test', ${at}::text::timestamptz)`;
  await sql`
    INSERT INTO oauth.api_usage (shop_id, caller_id, hour, calls, records, refused, failed)
    VALUES ('s', ${at}, ${at}::text::timestamptz, 1, 2, 3, 4)`;
}

/** For each table the partition that has the record; on a cluster without the shard's number. */
async function partsWith(at: string): Promise<string[]> {
  const found = await sql<{ part: string }[]>`
    SELECT tableoid::regclass::text AS part FROM oauth.audit_log WHERE event = ${at}
    UNION ALL SELECT tableoid::regclass::text FROM directory.audit_log WHERE event = ${at}
    UNION ALL SELECT tableoid::regclass::text FROM oauth.api_usage WHERE caller_id = ${at}`;
  return found.map(({ part }) => part.replace(/_\d{6,}$/, ""));
}

const allParts = (month: string) => TABLES.map((table) => `${table}_${month}`);
const month = (ahead: number) =>
  new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + ahead));
const named = (ahead: number) => month(ahead).toISOString().slice(0, 7).replace("-", "_");
const MOMENT = 1000; // of api_usage, whose hours have no milliseconds
const lastOf = (ahead: number) => new Date(month(ahead + 1).getTime() - MOMENT);

test("makeMonths creates the missing monthly partitions up to 13 months ahead, with bounds in UTC", async () => {
  const made = await makeMonths(sql, now);
  expect(made).toContain(`directory.audit_log_${named(0)}`);
  for (const table of TABLES) expect(made).toContain(`${table}_${named(13)}`);
  expect(await makeMonths(sql, now)).toEqual([]);
  for (const ahead of [2, 13]) {
    for (const at of [month(ahead).toISOString(), lastOf(ahead).toISOString()]) {
      await recordAt(at);
      expect(await partsWith(at)).toEqual(allParts(named(ahead)));
    }
  }
  const beyond = month(14).toISOString();
  await recordAt(beyond);
  expect(await partsWith(beyond)).toEqual(allParts("default"));
});

test("a monthly partition that is created late takes over its rows from the default partition", async () => {
  const times = [month(2), month(3), lastOf(3), month(15)].map((time) => time.toISOString());
  for (const time of times) await recordAt(time);
  const all = async () => [
    await sql`SELECT * FROM oauth.audit_log ORDER BY id`,
    await sql`SELECT * FROM directory.audit_log ORDER BY id`,
    await sql`SELECT * FROM oauth.api_usage ORDER BY hour`,
  ];
  const before = await all();
  await makeMonths(sql, month(15));
  expect(await all()).toEqual(before);
  expect(await Promise.all(times.map(partsWith))).toEqual(
    [2, 3, 3, 15].map((ahead) => allParts(named(ahead))),
  );
  for (const table of TABLES)
    expect(await sql`SELECT FROM ${sql(`${table}_default`)}`).toHaveLength(0);
  expect(await sql`SELECT FROM pg_class WHERE relname LIKE '%aside%'`).toHaveLength(0);
  await makeMonths(sql, month(15));
});

test("no partition of the audit log can be truncated, even by the owner", async () => {
  for (const ahead of [2, 15]) await recordAt(month(ahead).toISOString());
  await makeMonths(sql, month(1));
  const parts = ["", `_${named(2)}`, `_${named(15)}`, "_default"];
  for (const table of LOGS.flatMap((log) => parts.map((part) => `${log}${part}`)))
    await expect(sql`TRUNCATE ${sql(table)}`, table).rejects.toThrow("append-only");
});

test("audit records that are written while partitions are created are stored exactly once", async () => {
  await recordAt(month(3).toISOString());
  let isMaking = true;
  let written = 0;
  const writer = async (n: number) => {
    for (let each = 0; isMaking; each += 1) {
      const at = new Date(month(each % 14).getTime() + n);
      await transaction(sql, async (tx) => {
        await tx`INSERT INTO directory.audit_log (event, actor, at) VALUES ('a', 'race', ${at})`;
        await tx`INSERT INTO oauth.audit_log (shop_id, event, actor, at) VALUES ('s', 'a', 'race', ${at})`;
      });
      written += 1;
    }
  };
  const writers = [1, 2, 3, 4].map(writer);
  await Promise.all([makeMonths(sql, now), makeMonths(sql, month(2)), makeMonths(sql, month(5))]);
  isMaking = false;
  await Promise.all(writers);
  await makeMonths(sql, month(5));
  for (const log of LOGS) {
    const [row] =
      await sql`SELECT count(*)::int AS records, count(DISTINCT id)::int AS ids FROM ${sql(log)} WHERE actor = 'race'`;
    expect(row).toEqual({ records: written, ids: written });
  }
});

test("while a transaction that has read the audit log stays open, makeMonths fails and creates no partition", async () => {
  let release = () => {};
  const backup = transaction(sql, async (tx) => {
    await tx`SELECT count(*) FROM oauth.audit_log`;
    await new Promise<void>((resolve) => {
      release = resolve;
    });
  });
  // Databases that were copied from one template have the same OIDs for their tables.
  const held = () => sql`
      SELECT FROM pg_locks JOIN pg_database ON oid = database
      WHERE datname = current_database() AND relation = 'oauth.audit_log'::regclass`;
  await expect.poll(held).toHaveLength(1);
  await expect(makeMonths(sql, now)).rejects.toMatchObject({ code: "55P03" });
  expect(
    await sql`SELECT FROM pg_inherits WHERE inhparent = 'oauth.audit_log'::regclass`,
  ).toHaveLength(1);
  release();
  await backup;
  expect(await makeMonths(sql, now)).toContain(`oauth.audit_log_${named(13)}`);
});

test("pruning drops the months before the retention period, and records them in the audit log", async () => {
  await makeMonths(sql, now);
  const times = [month(0), month(1), lastOf(1), month(2), month(15)].map((time) =>
    time.toISOString(),
  );
  for (const time of times) await recordAt(time);
  const then = { keep: 13, now: new Date(month(15).getTime() + MOMENT) };
  const pruned = await pruneMonths(backOffice, then, operator);
  const dropped = (table: string) => [
    { name: `${table}_${named(0)}`, rows: 1 },
    { name: `${table}_${named(1)}`, rows: 2 },
  ];
  const tables = ["directory.audit_log", "oauth.audit_log", "oauth.api_usage"];
  expect(pruned).toEqual(tables.flatMap(dropped));
  expect(await Promise.all(times.map(partsWith))).toEqual([
    [],
    [],
    [],
    allParts(named(2)),
    allParts(named(15)),
  ]);
  const records =
    await sql`SELECT actor, details FROM directory.audit_log WHERE event = 'audit_prune' ORDER BY id`;
  const recorded = (table: string) => ({ keep_months: 13, parts: dropped(table) });
  expect(records).toEqual(
    tables.map((table) => ({ actor: "operator:test", details: recorded(table) })),
  );
});

test("pruning keeps the current month, and a month whose drop can't be recorded", async () => {
  await makeMonths(sql, now);
  await recordAt(month(0).toISOString());
  expect(await pruneMonths(sql, { keep: 0, now }, operator)).toEqual([]);
  const then = { keep: 0, now: month(1) };
  await expect(pruneMonths(sql, then, { name: "operator:eve", ip: "nowhere" })).rejects.toThrow(
    "inet",
  );
  expect(await partsWith(month(0).toISOString())).toHaveLength(3);
});

test("if pruning can't get its lock, it records no dropped month, except on Citus", async () => {
  for (const ahead of [0, 1]) await makeMonths(sql, month(ahead));
  const then = { keep: 0, now: month(1) };
  await transaction(sql, async (tx) => {
    await tx`SELECT FROM directory.audit_log`;
    await expect(pruneMonths(backOffice, then, operator)).rejects.toMatchObject({ code: "55P03" });
  });
  const records = await sql`SELECT FROM directory.audit_log WHERE event = 'audit_prune'`;
  expect(records).toHaveLength((await isOnCitus(sql)) ? 1 : 0);
});

test("the back office can't drop a month that ended less than a month ago, or a table without monthly partitions", async () => {
  await makeMonths(backOffice, new Date());
  const last = new Date(Date.UTC(new Date().getUTCFullYear(), new Date().getUTCMonth() - 1));
  const drop = (table: string) => backOffice`SELECT oauth.drop_month(${table}, ${last})`;
  await expect(drop("oauth.audit_log")).rejects.toThrow("too young");
  await expect(drop("oauth.connections")).rejects.toThrow("not partitioned by month");
});
