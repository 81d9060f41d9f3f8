import { afterAll } from "vitest";
import { connectDatabase, type DriverPool, openDriver } from "../pool/connect.ts";
import type { Sql } from "../pool/sql.ts";
import { freshDatabase, type TestDatabase } from "../testing.ts";

export interface SuiteDatabase extends TestDatabase {
  /** A pool that ends with the file. */
  connect(...to: Parameters<typeof connectDatabase>): Sql;
  /** The driver's own pool, which ends with the file too. */
  open(...to: Parameters<typeof openDriver>): DriverPool;
}

/** Creates a database for the tests of a file; it is dropped after the last one. */
export async function suiteDatabase(): Promise<SuiteDatabase> {
  const database = await freshDatabase(process.env["TEST_DATABASE_URL"]);
  const pools: { end(): Promise<void> }[] = [];
  afterAll(async () => {
    await Promise.all(pools.map((pool) => pool.end()));
    await database.drop();
  });
  return {
    ...database,
    connect(...to) {
      const pool = connectDatabase(...to);
      pools.push(pool);
      return pool;
    },
    open(...to) {
      const pool = openDriver(...to);
      pools.push(pool);
      return pool;
    },
  };
}
