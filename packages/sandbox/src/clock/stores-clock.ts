import { connectDatabase, type Sql } from "@partner-connect/database";
import { StartFailure } from "@partner-connect/local-stack";
import { clusterAddress } from "@partner-connect/service-runtime/environment";
import type { Redis } from "ioredis";

/** A service that finds it in its database refuses to start without the clock (`packages/database/src/roles/startup-checks.ts`). */
const SCHEMA = "sandbox_clock";

/** These stand in the search path before Postgres's own, so statements, defaults and ids that sort by time get the sandbox's time. */
const CLOCK = `
CREATE SCHEMA IF NOT EXISTS sandbox_clock;
GRANT USAGE ON SCHEMA sandbox_clock TO PUBLIC;
CREATE TABLE IF NOT EXISTS sandbox_clock.moved (one boolean PRIMARY KEY DEFAULT true CHECK (one), milliseconds bigint NOT NULL);
INSERT INTO sandbox_clock.moved (milliseconds) VALUES (0) ON CONFLICT DO NOTHING;
GRANT SELECT ON sandbox_clock.moved TO PUBLIC;
CREATE OR REPLACE FUNCTION sandbox_clock.moved_by() RETURNS interval LANGUAGE sql STABLE PARALLEL SAFE
  RETURN (SELECT pg_catalog.make_interval(secs => milliseconds / 1000.0) FROM sandbox_clock.moved);
CREATE OR REPLACE FUNCTION sandbox_clock.now() RETURNS timestamptz LANGUAGE sql STABLE PARALLEL SAFE
  RETURN pg_catalog.now() + sandbox_clock.moved_by();
CREATE OR REPLACE FUNCTION sandbox_clock.transaction_timestamp() RETURNS timestamptz LANGUAGE sql STABLE PARALLEL SAFE
  RETURN pg_catalog.now() + sandbox_clock.moved_by();
CREATE OR REPLACE FUNCTION sandbox_clock.statement_timestamp() RETURNS timestamptz LANGUAGE sql STABLE PARALLEL SAFE
  RETURN pg_catalog.statement_timestamp() + sandbox_clock.moved_by();
CREATE OR REPLACE FUNCTION sandbox_clock.clock_timestamp() RETURNS timestamptz LANGUAGE sql VOLATILE PARALLEL SAFE
  RETURN pg_catalog.clock_timestamp() + sandbox_clock.moved_by();
CREATE OR REPLACE FUNCTION sandbox_clock.uuidv7() RETURNS uuid LANGUAGE sql VOLATILE PARALLEL SAFE
  RETURN pg_catalog.uuidv7(sandbox_clock.moved_by())`;

/**
 * Makes the database tell the sandbox's time, and returns how many ms it is ahead. Before the migrations, as what they define keeps
 * its functions. @throws {StartFailure} where there are tables already
 */
export async function openDatabaseClock(sql: Sql): Promise<number> {
  const [found] = await sql<{ clock: boolean; tables: boolean }[]>`
    SELECT to_regnamespace(${SCHEMA}) IS NOT NULL AS clock, to_regnamespace('directory') IS NOT NULL AS tables`;
  if (found?.tables && !found.clock) {
    throw new StartFailure("the database at DATABASE_URL is not a sandbox's: give 'pnpm sandbox' an empty one");
  }
  await sql.unsafe(CLOCK);
  await sql.unsafe(`DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET search_path = ${SCHEMA}, pg_catalog, public',
    current_database()); END $$`);
  const [row] = await sql<{ milliseconds: string }[]>`SELECT milliseconds FROM sandbox_clock.moved`;
  return Number(row?.milliseconds);
}

/** From its commit on every statement of every session has the new time. */
export async function moveDatabaseClock(sql: Sql, movedBy: number): Promise<void> {
  await sql`UPDATE sandbox_clock.moved SET milliseconds = ${movedBy}`;
}

export function connectClockDatabase(databaseUrl: string): Sql {
  return connectDatabase(databaseUrl, { name: "sandbox", connections: 4, statementTimeout: 20_000 });
}

/** By how many milliseconds this Redis has been moved. It has the fate of the keys: a snapshot has both as they were. */
const MARK = "sandbox-clock";

/**
 * What expires does so sooner by what the clock moves, or is deleted, in one step; repeating it changes nothing. ARGV: the new
 * offset, and the one that counts without the mark, as after FLUSHALL. A key may be met twice.
 */
const MOVE = `
local by = tonumber(ARGV[1]) - tonumber(redis.call('GET', KEYS[1]) or ARGV[2])
local met, cursor = {}, '0'
repeat
  if by <= 0 then break end
  local found = redis.call('SCAN', cursor, 'COUNT', 1000)
  cursor = found[1]
  for _, key in ipairs(found[2]) do
    local left = redis.call('PTTL', key)
    if left >= 0 and not met[key] then
      met[key] = true
      if left <= by then redis.call('DEL', key) else redis.call('PEXPIRE', key, left - by) end
    end
  end
until cursor == '0'
redis.call('SET', KEYS[1], ARGV[1])
return by`;

export async function moveRedisClock(redis: Redis, movedBy: number, before: number): Promise<void> {
  await redis.eval(MOVE, 1, MARK, movedBy, before);
}

/** Brings a Redis to where the clock stands, as it may have been away. @throws {StartFailure} where it has another's keys */
export async function openRedisClock(redis: Redis, variable: string, movedBy: number): Promise<void> {
  const [marked, keys] = await Promise.all([redis.exists(MARK), redis.dbsize()]);
  if (marked === 0 && keys > 0) {
    throw new StartFailure(`the Redis at ${variable} is not a sandbox's: give 'pnpm sandbox' an empty one`);
  }
  await moveRedisClock(redis, movedBy, movedBy);
}

/** Of a cluster not all keys can lose their time in one step, with the mark of it. @throws {StartFailure} */
export function refuseCluster(url: string, variable: string): void {
  if (clusterAddress(url) === null) return;
  throw new StartFailure(
    `${variable} is a Redis Cluster, whose clock a sandbox can't move: give 'pnpm sandbox' one server, or none`,
  );
}
