import { expect, test } from "vitest";
import { suiteDatabase } from "../testing/suite.ts";
import { distribute } from "./distribute.ts";
import { ourTables, PLACEMENTS } from "./placements.ts";

const database = await suiteDatabase();
const sql = database.connect(database.url, { name: "test" });

test("every table has a placement on a cluster", async () => {
  expect(await ourTables(sql)).toEqual([...PLACEMENTS.keys()].toSorted());
});

test("in tables distributed by shop, unique keys begin with shop_id and foreign keys point to reference tables", async () => {
  const keys = await sql<{ table: string; key: string; first: string; to: string | null }[]>`
    SELECT format('%I.%I', nspname, c.relname) AS table, i.relname AS key, attname AS first, NULL AS to
    FROM pg_index JOIN pg_class c ON c.oid = indrelid JOIN pg_class i ON i.oid = indexrelid
      JOIN pg_namespace n ON n.oid = c.relnamespace JOIN pg_attribute a ON a.attrelid = c.oid AND attnum = indkey[0]
    WHERE indisunique AND NOT c.relispartition AND nspname IN ('directory', 'oauth', 'survey')
    UNION ALL SELECT format('%I.%I', n.nspname, c.relname), conname, NULL, format('%I.%I', rn.nspname, r.relname)
    FROM pg_constraint JOIN pg_class c ON c.oid = conrelid JOIN pg_namespace n ON n.oid = c.relnamespace
      JOIN pg_class r ON r.oid = confrelid JOIN pg_namespace rn ON rn.oid = r.relnamespace
    WHERE contype = 'f' AND NOT c.relispartition AND n.nspname IN ('directory', 'oauth', 'survey')`;
  for (const { table, key, first, to } of keys) {
    const placement = PLACEMENTS.get(table);
    if (to !== null) expect([key, PLACEMENTS.get(to)]).toEqual([key, "everywhere"]);
    else if (placement?.startsWith("by ")) expect([key, `by ${first}`]).toEqual([key, placement]);
  }
  expect(keys.length).toBeGreaterThan(20);
});

test("distributing is refused on a Postgres without the extension citus", async () => {
  await expect(distribute(database.url, { patience: 1000 })).rejects.toMatchObject({
    code: "CITUS_MISSING",
    message: "this database can't be distributed: it has no extension citus",
  });
});
