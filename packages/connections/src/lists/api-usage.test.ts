import { transaction } from "@partner-connect/database";
import { suiteDatabase } from "@partner-connect/database/testing/suite";
import { expect, test } from "vitest";
import { usageOfShop } from "../index.ts";

const { sql: owner, authorizationServer: sql } = await suiteDatabase();

test("a shop's usage is summed per caller, including the whole of the oldest hour", async () => {
  // `now()` is constant within a transaction, so the hour can't end in between.
  const { usage, other } = await transaction(sql, async (tx) => {
    const [{ now } = { now: new Date(0) }] = await tx<{ now: Date }[]>`SELECT now()`;
    await owner`
      INSERT INTO oauth.api_usage (shop_id, caller_id, hour, calls, records, refused, failed)
      SELECT shop, caller, date_trunc('hour', ${now}::timestamptz) - make_interval(hours => ago), 1, 10, 1, 0
      FROM (VALUES ('s1', 'con_1', 0), ('s1', 'con_1', 24), ('s1', 'con_1', 25), ('s1', 'key_1', 3), ('s2', 'con_2', 0))
        AS made (shop, caller, ago)`;
    return { usage: await usageOfShop(tx, "s1", 24), other: await usageOfShop(tx, "s3", 720) };
  });
  expect([...usage.keys()].sort()).toEqual(["con_1", "key_1"]);
  expect(usage.get("con_1")).toEqual({ calls: 2, records: 20, refused: 2, failed: 0 });
  expect(usage.get("key_1")).toEqual({ calls: 1, records: 10, refused: 1, failed: 0 });
  expect(other).toEqual(new Map());
});
