import { connectDatabase, type Sql } from "@partner-connect/database";
import { StartFailure } from "@partner-connect/local-stack";

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
