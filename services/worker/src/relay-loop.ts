import { setTimeout as sleep } from "node:timers/promises";
import { countNotes, noteRelay, type RelayRound } from "@partner-connect/connections/changes";
import type { Sql } from "@partner-connect/database";
import {
  addGauge,
  Counter,
  Histogram,
  type Logger,
  type Registry,
  sharedReading,
} from "@partner-connect/service-runtime";

/** Milliseconds between rounds if one found nothing, or another replica relays. */
const IDLE_MS = 400;
/** Milliseconds between rounds if one failed, because the store may be down. */
const FAILED_MS = 1000;

/** The key of the advisory lock that a round takes. */
export const RELAY_LOCK = "7032019942";

interface RelayParts {
  /** At least two connections, because one holds the lock. */
  readonly sql: Sql;
  readonly logger: Logger;
  readonly registry: Registry;
}

/**
 * Relays notes to the clients' feeds, round after round, until `close`. The lock only saves work:
 * concurrent rounds do no harm.
 */
export function startRelay({ sql, logger, registry }: RelayParts): { close(): Promise<void> } {
  const end = new AbortController();
  const { signal } = end;
  const relayNotes = noteRelay(sql);
  const metrics = relayMetrics(registry, sql);
  let isFailing = false;

  async function loop(): Promise<void> {
    while (!signal.aborted) {
      if ((await runRound()) > 0) continue;
      await sleep(isFailing ? FAILED_MS : IDLE_MS, undefined, { signal }).catch(() => {});
    }
  }

  /** Relays notes and returns their number. A later round relays what a failed one left. */
  async function runRound(): Promise<number> {
    try {
      const done = await sql.begin(async (tx) => {
        const [lock] = await tx`SELECT pg_try_advisory_xact_lock(${RELAY_LOCK}::bigint) AS taken`;
        return lock?.["taken"] ? await relayNotes() : null;
      });
      if (done) metrics.countRound(done);
      if (isFailing) logger.info("relays again");
      isFailing = false;
      return done?.notes ?? 0;
    } catch (error) {
      if (!isFailing)
        logger.warn({ err: error }, "a round of the relay failed; it is repeated every second");
      isFailing = true;
      metrics.countFailure();
      return 0;
    }
  }

  const running = loop();
  return {
    async close() {
      end.abort();
      await running;
    },
  };
}

/**
 * Metrics: the notes that this replica relayed, and the waiting notes. Each replica queries
 * the waiting notes at every scrape, because a stuck relay can't report them.
 */
function relayMetrics(registry: Registry, sql: Sql) {
  const registers = [registry];
  const rounds = new Counter({
    name: "partner_connect_relay_rounds_total",
    help: "Rounds of the relay: those that found notes, those that found none, and those that failed.",
    labelNames: ["outcome"],
    registers,
  });
  for (const outcome of ["relayed", "empty", "failed"]) rounds.inc({ outcome }, 0);
  const entries = new Counter({
    name: "partner_connect_feed_entries_written_total",
    help: "Entries that the relay wrote to clients' feeds: the latest of each connection and kind.",
    registers,
  });
  const delay = new Histogram({
    name: "partner_connect_feed_delay_seconds",
    help: "In each round, the longest time from a note, which a writer adds in its transaction, to its entries in the feeds.",
    buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60],
    registers,
  });
  delay.zero({});
  const waiting = sharedReading(() => countNotes(sql));
  addGauge(registry, async () => (await waiting())?.notes ?? null, {
    name: "partner_connect_change_notes_waiting",
    help: "Notes of changes that are not in the feeds yet. Missing if Postgres can't be read.",
  });
  const oldest = async () => {
    const read = await waiting();
    return read && (read.oldestAt ? secondsSince(read.oldestAt) : 0);
  };
  addGauge(registry, oldest, {
    name: "partner_connect_change_notes_oldest_seconds",
    help: "Age of the oldest waiting note; 0 if none waits.",
  });
  return {
    countRound({ notes, entries: written, oldestAt }: RelayRound): void {
      rounds.inc({ outcome: notes > 0 ? "relayed" : "empty" });
      entries.inc(written);
      if (oldestAt) delay.observe(secondsSince(oldestAt));
    },
    countFailure: (): void => rounds.inc({ outcome: "failed" }),
  };
}

/** Never negative, because the database's clock may be ahead of this one. */
const secondsSince = (at: Date): number => Math.max(0, Date.now() - at.getTime()) / 1000;
