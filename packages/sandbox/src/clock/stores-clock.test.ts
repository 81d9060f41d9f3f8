import { readdir, readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { connectDatabase, migrate, type Sql } from "@partner-connect/database";
import { freshDatabase, unmigratedDatabase } from "@partner-connect/database/testing";
import { freshRedis } from "@partner-connect/service-runtime/testing";
import { Redis } from "ioredis";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { moveDatabaseClock, moveRedisClock, openDatabaseClock, openRedisClock, refuseCluster } from "./stores-clock.ts";

const DAY = 86_400_000;

describe("Postgres", () => {
  let database: Awaited<ReturnType<typeof unmigratedDatabase>>;
  let sql: Sql;

  beforeAll(async () => {
    database = await unmigratedDatabase(process.env["TEST_DATABASE_URL"]);
    const opening = connectDatabase(database.url, { name: "test", connections: 1 });
    expect(await openDatabaseClock(opening)).toBe(0);
    await opening.end();
    await migrate(database.url);
    sql = connectDatabase(database.url, { name: "test", connections: 2 });
  });
  afterAll(async () => {
    await sql?.end();
    await database?.drop();
  });

  test("tells the moved time by all its names, in open sessions too, and in the ids that it makes", async () => {
    await sql`SELECT now()`;
    await moveDatabaseClock(sql, 31 * DAY + 1);
    const [row] = await sql<Record<string, Date>[]>`
      SELECT now() AS a, clock_timestamp() AS b, statement_timestamp() AS c, transaction_timestamp() AS d,
        uuid_extract_timestamp(uuidv7()) AS e`;
    for (const time of Object.values(row ?? {})) {
      expect(Math.abs(time.getTime() - Date.now() - 31 * DAY)).toBeLessThan(20_000);
    }
  });

  test("makes rows with the moved time in every column that has one by itself", async () => {
    const defaults = await sql<{ column: string; expression: string }[]>`
      SELECT adrelid::regclass || '.' || attname AS column, pg_get_expr(adbin, adrelid) AS expression
      FROM pg_attrdef JOIN pg_attribute ON attrelid = adrelid AND attnum = adnum
      WHERE pg_get_expr(adbin, adrelid) ~* 'now|timestamp|uuidv7|current_'`;
    expect(defaults.length).toBeGreaterThan(20);
    // The session's search path has the sandbox's functions first, so Postgres's own would be shown with their schema.
    expect(defaults.filter(({ expression }) => /pg_catalog|current_/i.test(expression))).toEqual([]);
  });

  test("that has tables of another clock is refused", async () => {
    const other = await freshDatabase(process.env["TEST_DATABASE_URL"]);
    const sql = connectDatabase(other.url, { name: "test", connections: 1 });
    await expect(openDatabaseClock(sql)).rejects.toThrow(/not a sandbox's: give 'pnpm sandbox' an empty one/);
    await sql.end();
    await other.drop();
  });
});

describe("Redis", () => {
  let url: Awaited<ReturnType<typeof freshRedis>>;
  let redis: Redis;

  beforeAll(async () => {
    url = await freshRedis(process.env["TEST_REDIS_URL"]);
    redis = new Redis(url.url);
  });
  afterAll(async () => {
    redis?.disconnect();
    await url?.drop();
  });

  test("loses what would have ended, and of the rest the time that has passed, however often it is told", async () => {
    await openRedisClock(redis, "REDIS_URL", 0);
    const lives = Array.from({ length: 3000 }, (_, index) => index + 1);
    await Promise.all(lives.map((minutes) => redis.set(`key ${minutes}`, minutes, "PX", minutes * 60_000)));
    await redis.set("for ever", "1");
    for (const _ of [1, 2]) {
      await moveRedisClock(redis, 1000 * 60_000, 0);
      const left = await Promise.all(lives.map((minutes) => redis.pttl(`key ${minutes}`)));
      expect(left.slice(0, 1000).every((life) => life === -2)).toBe(true);
      for (const [index, life] of left.slice(1000).entries()) {
        expect(Math.abs(life - (index + 1) * 60_000)).toBeLessThan(20_000);
      }
    }
    expect(await redis.pttl("for ever")).toBe(-1);
  });

  test("that was emptied goes on from where the clock stood", async () => {
    await redis.flushdb();
    await redis.set("made after", "1", "PX", 100 * 60_000);
    await moveRedisClock(redis, 1010 * 60_000, 1000 * 60_000);
    expect(Math.abs((await redis.pttl("made after")) - 90 * 60_000)).toBeLessThan(20_000);
  });

  test("that is a cluster is refused, by the name of its variable alone", () => {
    refuseCluster("redis://:secret@one", "REDIS_URL");
    expect(() => refuseCluster("redis+cluster://:secret@one,two", "REDIS_URL")).toThrow(
      /^REDIS_URL is a Redis Cluster, whose clock a sandbox can't move: give 'pnpm sandbox' one server, or none$/,
    );
  });

  test("with keys of another stack is refused", async () => {
    await redis.flushdb();
    await redis.set("session", "1");
    await expect(openRedisClock(redis, "REDIS_URL", 0)).rejects.toThrow(/REDIS_URL is not a sandbox's/);
  });
});

test("nothing of ours asks for the time by a name that the sandbox can't take", async () => {
  const root = fileURLToPath(new URL("../../../..", import.meta.url));
  const folders = ["packages", "services"].map((folder) => `${root}/${folder}`);
  const listed = await Promise.all(folders.map((folder) => readdir(folder, { recursive: true, withFileTypes: true })));
  const sources = listed
    .flat()
    .filter((entry) => entry.isFile() && /\.(sql|ts)$/.test(entry.name) && !/\.test\.ts$/.test(entry.name))
    .map(({ parentPath, name }) => `${parentPath}/${name}`)
    .filter((path) => !/node_modules|packages\/sandbox\/|packages\/local-stack\//.test(path));
  expect(sources.length).toBeGreaterThan(300);
  const found = await Promise.all(
    sources.map(async (path) => {
      const text = await readFile(path, "utf8");
      const names =
        /\b(current_timestamp|current_date|current_time|localtime|localtimestamp|timeofday|pg_catalog\.\w*(now|timestamp)|redis\.call\('TIME')\b/i;
      return names.test(text) ? [path] : [];
    }),
  );
  expect(found.flat()).toEqual([]);
});
