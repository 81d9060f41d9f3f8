import { doorTo } from "@partner-connect/service-runtime/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { freshDatabase, type TestDatabase } from "../testing.ts";
import { openDriver } from "./connect.ts";

let database: TestDatabase;

beforeAll(async () => {
  database = await freshDatabase(process.env["TEST_DATABASE_URL"]);
});
afterAll(() => database.drop());

test.each([false, true])(
  "a server that is asked and says nothing is lost after a while, one that is slow is not (reuseReadBuffer %s)",
  async (reuseReadBuffer) => {
    const door = await doorTo(database.url);
    const url = new URL(database.url);
    url.hostname = "127.0.0.1";
    url.port = door.port;
    const sql = openDriver(url.href, { name: "silence test", connections: 1, silence: 1500, reuseReadBuffer });
    try {
      await sql`SELECT pg_sleep(0.3)`;
      await new Promise((resolve) => setTimeout(resolve, 2000));
      expect(await sql`SELECT 1 AS alive`).toEqual([{ alive: 1 }]);
      door.freeze("open");
      const asked = performance.now();
      await expect(sql`SELECT 1`).rejects.toMatchObject({ code: "ETIMEDOUT" });
      // Without it, TCP decides: in a quarter of an hour.
      expect(performance.now() - asked).toBeLessThan(15_000);
      const isBack = async () => (await sql`SELECT 1 AS alive`.catch(() => [])).length === 1;
      await expect.poll(isBack).toBe(true);
    } finally {
      await sql.end({ timeout: 1 });
      door.close();
    }
  },
);
