import { afterAll } from "vitest";
import { connectDatabase } from "../pool/connect.ts";
import type { Sql } from "../pool/sql.ts";
import { freshDatabase, type TestDatabase } from "../testing.ts";

export interface SuiteDatabase extends TestDatabase {
  /** A pool that ends with the file. */
  connect(...to: Parameters<typeof connectDatabase>): Sql;
}

/** For all tests of a file, after which it is dropped. */
export async function suiteDatabase(): Promise<SuiteDatabase> {
  const database = await freshDatabase(process.env["TEST_DATABASE_URL"]);
  const pools: Sql[] = [];
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
  };
}
