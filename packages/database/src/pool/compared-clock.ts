import { setTimeout as sleep } from "node:timers/promises";
import type { Queries } from "./sql.ts";

/**
 * Maximum difference, in seconds, between this machine's clock and Postgres's, because several
 * machines judge the lifetimes of tokens and codes.
 */
const MOST_SECONDS = 30;
/** Milliseconds that a check waits for Postgres: less than `/readyz` may take. */
const PATIENCE_MS = 1000;

export function comparedClock(sql: Queries) {
  let ahead: number | null = null;
  let comparing: Promise<void> | undefined;

  async function compare(): Promise<void> {
    const asked = Date.now();
    const [{ at }] = await sql<[{ at: number }]>`
      SELECT extract(epoch FROM clock_timestamp())::float8 * 1000 AS at`;
    // Postgres read its clock at some time between the question and the answer.
    const nearest = Math.min(Math.max(at, asked), Date.now());
    ahead = (nearest - at) / 1000;
  }

  return {
    /**
     * Seconds by which this machine's clock was ahead (negative if behind) at the last comparison;
     * null before the first one.
     */
    secondsAhead: () => ahead,
    /**
     * A check for `/readyz` that rejects while the clocks differ by more than 30 s. If Postgres
     * does not answer, which another check reports, the result of the last comparison counts.
     */
    async check(): Promise<void> {
      comparing ??= compare()
        .catch(() => {})
        .finally(() => {
          comparing = undefined;
        });
      await Promise.race([comparing, sleep(PATIENCE_MS, undefined, { ref: false })]);
      if (ahead === null || Math.abs(ahead) <= MOST_SECONDS) return;
      const difference = `${Math.abs(ahead).toFixed(0)} s ${ahead > 0 ? "ahead of" : "behind"}`;
      throw new Error(
        `this machine's clock is ${difference} Postgres's: run NTP (chrony) on each machine`,
      );
    },
  };
}
