import { setTimeout as sleep } from "node:timers/promises";
import { relayRounds } from "@partner-connect/connections/changes";
import type { Sql } from "@partner-connect/database";
import type { Logger } from "@partner-connect/service-runtime";
import type { RelayMetrics } from "./relay-metrics.ts";

/** Pause after a round that found nothing, or while another replica relays. */
const IDLE_MS = 150;
/** Pause after a round that failed: the store may be down. */
const FAILED_MS = 1000;

/** The advisory lock of a round. */
export const RELAY_LOCK = "7032019942";

interface RelayParts {
  /** With two connections at least: one holds the lock. */
  readonly sql: Sql;
  readonly metrics: RelayMetrics;
  readonly logger: Logger;
}

/** Relays notes to the clients' feeds, round after round, until `close`. The lock only saves work: concurrent rounds do no harm. */
export function startRelay({ sql, metrics, logger }: RelayParts): { close(): Promise<void> } {
  const end = new AbortController();
  const { signal } = end;
  const relayRound = relayRounds(sql);
  let isFailing = false;

  async function relay(): Promise<void> {
    while (!signal.aborted) {
      if ((await round()) > 0) continue;
      await sleep(isFailing ? FAILED_MS : IDLE_MS, undefined, { signal }).catch(() => {});
    }
  }

  /** The number of relayed notes. A later round relays what a failed one left. */
  async function round(): Promise<number> {
    try {
      const done = await sql.begin(async (tx) => {
        const [lock] = await tx`SELECT pg_try_advisory_xact_lock(${RELAY_LOCK}::bigint) AS taken`;
        return lock?.["taken"] ? await relayRound() : null;
      });
      if (done) metrics.round(done);
      if (isFailing) logger.info("relays again");
      isFailing = false;
      return done?.notes ?? 0;
    } catch (error) {
      if (!isFailing) logger.warn({ err: error }, "a round of the relay failed; it is repeated every second");
      isFailing = true;
      metrics.failed();
      return 0;
    }
  }

  const running = relay();
  return {
    async close() {
      end.abort();
      await running;
    },
  };
}
