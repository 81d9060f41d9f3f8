import { beforeEach, expect, test } from "vitest";
import { transaction } from "../pool/transaction.ts";
import { suiteDatabase } from "../testing/suite.ts";

const { sql } = await suiteDatabase();
let shop = 0;

beforeEach(() => {
  shop += 1;
});

const name = (suffix = "") => `shop_${shop}${suffix}`;

async function rowsOf(shopId: string, count: number, updatedAt = new Date()): Promise<void> {
  await sql`
    INSERT INTO survey.responses (shop_id, id, inserted_at, updated_at, doc)
    SELECT ${shopId}, i, ${updatedAt}, ${updatedAt}, '{}' FROM generate_series(1, ${count}) AS i`;
}

/** The stamps of a shop's deletions, in milliseconds, and how many rows have each. */
async function stamps(shopId: string): Promise<[number, number][]> {
  const rows = await sql<{ at: Date; rows: number }[]>`
    SELECT deleted_at AS at, count(*)::int AS rows FROM survey.deleted_responses WHERE shop_id = ${shopId} GROUP BY 1 ORDER BY 1`;
  return rows.map(({ at, rows }) => [at.getTime(), rows]);
}

test("a plain DELETE over several shops gives all deleted rows of a shop one stamp", async () => {
  const shops = ["a", "b", "c"].map(name);
  for (const each of shops) await rowsOf(each, 100);
  await sql`DELETE FROM survey.responses WHERE shop_id = ANY (${shops})`;
  for (const each of shops) {
    const [[at, rows] = [0, 0], ...others] = await stamps(each);
    expect([rows, others]).toEqual([100, []]);
    expect(at).toBeLessThanOrEqual(Date.now() + 5);
  }
});

test("deletions in one transaction, even after a savepoint, share the transaction's stamp", async () => {
  await rowsOf(name(), 3 * 20);
  const taken = new Date(Date.now() + 60_000);
  await transaction(sql, async (tx) => {
    await tx`INSERT INTO survey.stamps (shop_id, stamp) VALUES (${name()}, ${taken})`;
    await tx`DELETE FROM survey.responses WHERE shop_id = ${name()} AND id::int <= 20`;
    await tx`SAVEPOINT one`;
    await tx`DELETE FROM survey.responses WHERE shop_id = ${name()} AND id::int <= 40`;
    await tx`RELEASE one`;
    await tx`DELETE FROM survey.responses WHERE shop_id = ${name()}`;
  });
  expect(await stamps(name())).toEqual([[taken.getTime(), 60]]);
});

test("each transaction's deletions have a later stamp than all earlier deletions, even if the clock is behind", async () => {
  await rowsOf(name(), 2);
  const ahead = new Date(Date.now() + 60_000);
  await sql`INSERT INTO survey.stamps (shop_id, stamp) VALUES (${name()}, ${ahead})`;
  await sql`DELETE FROM survey.responses WHERE shop_id = ${name()} AND id = '1'`;
  await sql`DELETE FROM survey.responses WHERE shop_id = ${name()} AND id = '2'`;
  expect(await stamps(name())).toEqual([
    [ahead.getTime() + 1, 1],
    [ahead.getTime() + 2, 1],
  ]);
});

test("a row that changed at its shop's latest stamp is deleted with a later stamp", async () => {
  const taken = new Date(Date.now() + 60_000);
  await rowsOf(name(), 1, taken);
  await transaction(sql, async (tx) => {
    await tx`INSERT INTO survey.stamps (shop_id, stamp) VALUES (${name()}, ${taken})`;
    await tx`DELETE FROM survey.responses WHERE shop_id = ${name()}`;
  });
  expect(await stamps(name())).toEqual([[taken.getTime() + 1, 1]]);
});

test("a rollback to a savepoint undoes the stamp of a deletion", async () => {
  await rowsOf(name(), 2);
  await transaction(sql, async (tx) => {
    await tx`SAVEPOINT one`;
    await tx`DELETE FROM survey.responses WHERE shop_id = ${name()} AND id = '1'`;
    await tx`ROLLBACK TO one`;
    await tx`DELETE FROM survey.responses WHERE shop_id = ${name()} AND id = '2'`;
  });
  const [row] = await sql<{ same: boolean }[]>`
      SELECT stamp = deleted_at AS same FROM survey.stamps JOIN survey.deleted_responses USING (shop_id) WHERE shop_id = ${name()}`;
  expect(row).toEqual({ same: true });
});
