import { afterAll } from "vitest";
import { connectDatabase, openDriver } from "../pool/connect.ts";
import { freshDatabase } from "../testing.ts";

/** Creates a database for the tests of a file; it is dropped after the last one. */
export async function suiteDatabase() {
  const database = await freshDatabase(process.env["TEST_DATABASE_URL"]);
  const pools: { end(): Promise<void> }[] = [];
  afterAll(async () => {
    await Promise.all(pools.map((pool) => pool.end()));
    await database.drop();
  });
  /** A pool that ends with the file. */
  const connect = (...to: Parameters<typeof connectDatabase>) => {
    const pool = connectDatabase(...to);
    pools.push(pool);
    return pool;
  };
  const as = (url: string) => connect(url, { name: "test", connections: 8 });
  return {
    ...database,
    connect,
    /** The driver's own pool, which ends with the file too. */
    open(...to: Parameters<typeof openDriver>) {
      const pool = openDriver(...to);
      pools.push(pool);
      return pool;
    },
    /** The owner's pool. The others are of the services' roles. */
    sql: as(database.url),
    authorizationServer: as(database.authorizationServerUrl),
    resourceServer: as(database.resourceServerUrl),
    worker: as(database.workerUrl),
    backOffice: as(database.backOfficeUrl),
  };
}
