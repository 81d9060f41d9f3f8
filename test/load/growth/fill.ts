import { once } from "node:events";
import type { Queries, Sql } from "@partner-connect/database";
import { importResponses } from "@partner-connect/survey-data";
import { generateResponses } from "@partner-connect/survey-data/generated";
import { OTHER_SHOPS, otherShop, rowAt, type Shops } from "./rows.ts";

const TEMPLATES = 20_000;
const BATCH = 1024 * 1024;
const REPORTED = 500_000;
/** In the audit log. */
export const BENCH = { name: "operator:bench" };

/**
 * Fills the empty table with `count` responses. Each is one of TEMPLATES generated ones, with an id and times of its own.
 * In one transaction that begins with TRUNCATE: rows are frozen as they come, and Postgres writes no log of them (with
 * wal_level=minimal). The indexes are built at the end, from all rows, so they are as small as they can be.
 */
export async function fillTable(sql: Sql, shops: Shops, count: number, report: (line: string) => void): Promise<void> {
  const tails = await templateTails(sql, shops.largest);
  await sql`
    INSERT INTO directory.shops (id, name, plan)
    SELECT id, id, 'standard' FROM unnest(${Array.from({ length: OTHER_SHOPS }, (_, index) => otherShop(index))}::text[]) AS id`;
  await sql.begin(async (inside) => {
    await inside`SET LOCAL maintenance_work_mem = '512MB'`;
    await inside`TRUNCATE survey.responses, survey.stamps`;
    const rebuild = await dropIndexes(inside);
    const copy = await inside.copy(
      "COPY survey.responses (shop_id, id, inserted_at, updated_at, doc) FROM STDIN (FREEZE)",
    );
    let batch = "";
    for (let index = 0; index < count; index++) {
      batch += copyLine(rowAt(index, count, shops), tails[(index * 7919) % TEMPLATES] ?? "");
      if (batch.length >= BATCH || index === count - 1) {
        if (!copy.write(batch)) await once(copy, "drain");
        batch = "";
      }
      if ((index + 1) % REPORTED === 0) report(`${index + 1} of ${count} responses`);
    }
    copy.end();
    await once(copy, "finish");
    for (const statement of rebuild) {
      report(statement);
      await inside.unsafe(statement);
    }
  });
  report("vacuum");
  await sql`VACUUM (ANALYZE) survey.responses`;
  await sql`CHECKPOINT`;
}

/** What follows the two times in each template, as COPY takes it. */
async function templateTails(sql: Sql, shopId: string): Promise<readonly string[]> {
  await importResponses(sql, { shopId, lines: generateResponses({ count: TEMPLATES, seed: "bench" }) }, BENCH);
  const rows = await sql<{ tail: string }[]>`
    SELECT substr(doc, strpos(doc, ',"response_provided_at":')) AS tail FROM survey.responses ORDER BY id`;
  return rows.map(({ tail }) => tail.replaceAll("\\", "\\\\"));
}

function copyLine({ shopId, id, insertedAt, updatedAt }: ReturnType<typeof rowAt>, tail: string): string {
  const inserted = new Date(insertedAt).toISOString();
  const updated = updatedAt === insertedAt ? inserted : new Date(updatedAt).toISOString();
  const doc = `{"id":"${id}","inserted_at":"${inserted}","updated_at":"${updated}"${tail}`;
  return `${shopId}\t${id}\t${inserted}\t${updated}\t${doc}\n`;
}

/** Drops the table's indexes, and returns the statements that make them again. */
async function dropIndexes(sql: Queries): Promise<string[]> {
  const keys = await sql<{ name: string; definition: string }[]>`
    SELECT conname AS name, pg_get_constraintdef(oid) AS definition FROM pg_constraint
    WHERE conrelid = 'survey.responses'::regclass AND contype = 'p'`;
  for (const { name } of keys) await sql`ALTER TABLE survey.responses DROP CONSTRAINT ${sql(name)}`;
  const indexes = await sql<{ name: string; definition: string }[]>`
    SELECT indexname AS name, indexdef AS definition FROM pg_indexes
    WHERE schemaname = 'survey' AND tablename = 'responses'`;
  for (const { name } of indexes) await sql`DROP INDEX survey.${sql(name)}`;
  return [
    ...keys.map(({ name, definition }) => `ALTER TABLE survey.responses ADD CONSTRAINT ${name} ${definition}`),
    ...indexes.map(({ definition }) => definition),
  ];
}
