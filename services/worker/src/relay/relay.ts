import { setTimeout as sleep } from "node:timers/promises";
import { relayRounds } from "@partner-connect/connections/changes";
import type { Sql } from "@partner-connect/database";
import type { Logger } from "@partner-connect/service-runtime";
import type { Lease } from "./lease.ts";
import type { RelayMetrics } from "./relay-metrics.ts";

/** Pause after a round that found nothing. */
const IDLE_MS = 150;
/** Pause after a round that failed: the store may be down. */
const FAILED_MS = 1000;

interface RelayParts {
  readonly sql: Sql;
  readonly lease: Pick<Lease, "isHeld">;
  readonly metrics: RelayMetrics;
  readonly logger: Logger;
}

/** Relays notes to the clients' feeds, round after round, while this replica has the lease. */
export function startRelay({ sql, lease, metrics, logger }: RelayParts): { close(): Promise<void> } {
  const end = new AbortController();
  const { signal } = end;
  const rest = (ms: number) => sleep(ms, undefined, { signal }).catch(() => {});
  const relayRound = relayRounds(sql);
  let isFailing = false;

  async function relay(): Promise<void> {
    while (!signal.aborted) {
      if (!lease.isHeld) await rest(IDLE_MS);
      else if ((await round()) === 0) await rest(isFailing ? FAILED_MS : IDLE_MS);
    }
  }

  /** The number of relayed notes. A later round relays what a failed one left. */
  async function round(): Promise<number> {
    try {
      const done = await relayRound();
      metrics.round(done);
      if (isFailing) logger.info("relays again");
      isFailing = false;
      return done.notes;
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
