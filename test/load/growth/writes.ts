import type { Sql } from "@partner-connect/database";
import { deleteResponses, importResponses, recategorizeResponses } from "@partner-connect/survey-data";
import { generateResponses } from "@partner-connect/survey-data/generated";
import { BENCH } from "./fill.ts";
import type { GrowthStack } from "./kept-stack.ts";
import { largestShopIndex, rowAt, TO } from "./rows.ts";

const WRITTEN = 10_000;
const DAY = 86_400_000;

interface MeasuredWrite {
  readonly seconds: number;
  /** That Postgres wrote to its log meanwhile: it grows with the blocks that change, not with the load of the machine. */
  readonly walBytes: number;
}

export type MeasuredWrites = Readonly<Record<string, MeasuredWrite>>;

/** Ids of `many` responses of the largest shop, from everywhere in it. `salt`: others each time. */
function anyIds({ count, largest, small }: GrowthStack, many: number, salt: number): string[] {
  const shops = { largest: largest.id, small: small.id };
  const golden = (index: number) => (index * 0.6180339887498949 + salt * 0.1234567) % 1;
  const ids = Array.from(
    { length: many },
    (_, index) => rowAt(largestShopIndex(golden(index), count), count, shops).id,
  );
  return [...new Set(ids)];
}

/** Writes to the largest shop, one after the other. What they write stays. */
export async function measureWrites(stack: GrowthStack): Promise<MeasuredWrites> {
  const { sql, largest } = stack;
  const shopId = largest.id;
  const lines = (seed: string, count: number) => [...generateResponses({ seed, count, from: TO - 30 * DAY, to: TO })];
  const file = lines("growth", WRITTEN);
  const ids = anyIds(stack, WRITTEN, 1);
  const writes: Record<string, () => Promise<unknown>> = {
    "import of 10,000": () => importResponses(sql, { shopId, lines: file }, BENCH),
    "the same again, unchanged": () => importResponses(sql, { shopId, lines: file }, BENCH),
    "import of one": () => importResponses(sql, { shopId, lines: lines("one", 1) }, BENCH),
    "recategorization of 10,000": () => recategorizeResponses(sql, { shopId, ids, response: "Growth" }, BENCH),
    "deletion of 10,000": () => deleteResponses(sql, { shopId, ids: anyIds(stack, WRITTEN, 2) }, BENCH),
  };
  const measured: Record<string, MeasuredWrite> = {};
  for (const [name, work] of Object.entries(writes)) measured[name] = await measuredWrite(sql, work);
  return measured;
}

async function measuredWrite(sql: Sql, work: () => Promise<unknown>): Promise<MeasuredWrite> {
  await sql`CHECKPOINT`; // so that each begins with the same: a block's first change after it is logged whole
  const [before] = await sql<{ at: string }[]>`SELECT pg_current_wal_insert_lsn() AS at`;
  const began = performance.now();
  await work();
  const seconds = (performance.now() - began) / 1000;
  const [after] = await sql<{ bytes: number }[]>`
    SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), ${before?.at ?? null}::pg_lsn)::float8 AS bytes`;
  return { seconds, walBytes: after?.bytes ?? Number.NaN };
}
