import type { RelayRound } from "@partner-connect/connections/changes";
import { addGauge, Counter, Histogram, type Registry } from "@partner-connect/service-runtime";

export type RelayMetrics = ReturnType<typeof relayMetrics>;

/** Metrics: notes that this replica relayed, and waiting notes, which each replica queries at every scrape, because a stuck relay can't report them. */
export function relayMetrics(registry: Registry, readWaiting: () => Promise<Waiting>) {
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
    help: "Entries that the relay wrote to clients' feeds: of each connection and kind the latest.",
    registers,
  });
  const delay = new Histogram({
    name: "partner_connect_feed_delay_seconds",
    help: "Of each round the longest time from a note, which a writer leaves in its transaction, until it is in the feeds.",
    buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60],
    registers,
  });
  delay.zero({});
  let reading: Promise<Waiting | null> | null = null;
  const waiting = () => {
    reading ??= readWaiting()
      .catch(() => null)
      .finally(() => (reading = null));
    return reading;
  };
  const notes = {
    name: "partner_connect_change_notes_waiting",
    help: "Notes of changes that are not in the feeds yet. Missing where it can't be read.",
  };
  addGauge(registry, notes, async () => (await waiting())?.notes ?? null);
  const oldest = {
    name: "partner_connect_change_notes_oldest_seconds",
    help: "Age of the oldest of these notes; 0 where none waits.",
  };
  addGauge(registry, oldest, async () => {
    const read = await waiting();
    return read && (read.oldestAt ? secondsSince(read.oldestAt) : 0);
  });
  return {
    round({ notes, entries: written, oldestAt }: RelayRound): void {
      rounds.inc({ outcome: notes > 0 ? "relayed" : "empty" });
      entries.inc(written);
      if (oldestAt) delay.observe(secondsSince(oldestAt));
    },
    failed: (): void => rounds.inc({ outcome: "failed" }),
  };
}

interface Waiting {
  readonly notes: number;
  readonly oldestAt: Date | null;
}

/** The database's clock may be ahead of this one. */
const secondsSince = (at: Date): number => Math.max(0, Date.now() - at.getTime()) / 1000;
