import type { Sql } from "@partner-connect/database";
import { connectionState } from "./connection-state.ts";

/** Of 8 KB: some 60,000 connections, which take a few milliseconds to read. */
const MOST_PAGES = 2000;

export interface ConnectionEstimate {
  readonly status: "connected" | "approved" | "expired" | "revoked" | "disabled";
  readonly connections: number;
}

/**
 * How many connections have each status, over all shops. A table of up to {@link MOST_PAGES} pages is counted. Of a larger one
 * as many pages are read as a sample, so that it costs the same at any size; what is a percent of them is then known to a
 * twentieth.
 */
export async function estimateConnections(sql: Sql, refreshTokenTtlSeconds: number): Promise<ConnectionEstimate[]> {
  const [size] = await sql<{ pages: number }[]>`
    SELECT (pg_relation_size('oauth.connections') / current_setting('block_size')::int)::int AS pages`;
  const percent = Math.min(100, (100 * MOST_PAGES) / Math.max(size?.pages ?? 0, 1));
  return await sql<ConnectionEstimate[]>`
    SELECT seen.status, round(count(*) * 100 / ${percent}::float8)::float8 AS connections
    FROM oauth.connections c TABLESAMPLE SYSTEM (${percent}::float4)
      ${connectionState(sql, refreshTokenTtlSeconds)}
    GROUP BY 1`;
}
