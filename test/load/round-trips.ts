import { setTimeout as sleep } from "node:timers/promises";
import { connectDatabase } from "@partner-connect/database";
import { Redis } from "ioredis";

/** An idle backend of Postgres reports its transactions after ten seconds. */
const REPORTED_MS = 11_000;

/** How many reads and transactions each of `works` costs Redis and Postgres, as the stores count them. */
export async function roundTrips(
  stores: { readonly redis_url: string; readonly database_url: string },
  works: readonly (() => Promise<void>)[],
): Promise<[redis: string, postgres: string]> {
  const redis = new Redis(stores.redis_url);
  const sql = connectDatabase(stores.database_url, { name: "test", connections: 1 });
  // Commands that come in one write cost Redis one read.
  const reads = async () => Number(/total_reads_processed:(\d+)/.exec(await redis.info("stats"))?.[1]);
  const transactions = async () => {
    await sql`SELECT pg_stat_force_next_flush()`;
    const [row] =
      await sql`SELECT sum(xact_commit)::int AS count FROM pg_stat_database WHERE datname = current_database()`;
    return Number(row?.["count"]);
  };
  try {
    await sleep(REPORTED_MS);
    const [readsBefore, transactionsBefore] = [await reads(), await transactions()];
    for (const work of works) await work();
    const readsAfter = await reads();
    await sleep(REPORTED_MS);
    const each = (grew: number) => (grew / works.length).toFixed(2);
    return [each(readsAfter - readsBefore), each((await transactions()) - transactionsBefore)];
  } finally {
    redis.disconnect();
    await sql.end();
  }
}
