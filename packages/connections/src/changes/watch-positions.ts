import { setTimeout as pause } from "node:timers/promises";
import type { Sql } from "@partner-connect/database";

export interface PositionWatch {
  /**
   * Resolves when the feed's last number is not `number`, after `ms`, on abort, when the watch is
   * closed, or when the client has too many calls. Outages of Postgres don't end the wait.
   */
  wait(clientId: string, number: number, signal: AbortSignal, ms: number): Promise<void>;
  /** The number of waiting calls. */
  count(): number;
  /** Completes all waiting calls, and all later ones. */
  close(): void;
}

interface Waiting {
  readonly number: number;
  readonly end: () => void;
}

/** Most waiting calls per client; another one ends the oldest. A partner needs one per process. */
const MOST_OF_A_CLIENT = 100;

interface WatchOptions {
  readonly everyMs?: number;
  /** Default: reads the positions of these clients' feeds. */
  readonly read?: (
    sql: Sql,
    clientIds: readonly string[],
  ) => Promise<readonly { readonly clientId: string; readonly number: number }[]>;
}

/** Reads the positions once every `everyMs` for all waiting calls, and not at all if none waits. */
export function watchPositions(
  sql: Sql,
  { everyMs = 150, read = feedPositions }: WatchOptions = {},
): PositionWatch {
  const waiting = new Map<string, Set<Waiting>>();
  let isClosed = false;
  let isPolling = false;

  async function poll(): Promise<void> {
    isPolling = true;
    while (waiting.size > 0) {
      await pause(everyMs, undefined, { ref: false });
      await wakeMoved().catch(() => {});
    }
    isPolling = false;
  }

  async function wakeMoved(): Promise<void> {
    for (const { clientId, number } of await read(sql, [...waiting.keys()])) {
      for (const one of waiting.get(clientId) ?? []) if (one.number !== number) one.end();
    }
  }

  return {
    wait(clientId, number, signal, ms) {
      if (isClosed || signal.aborted) return Promise.resolve();
      return new Promise((resolve) => {
        const all = waiting.get(clientId) ?? new Set();
        const end = () => {
          clearTimeout(timer);
          signal.removeEventListener("abort", end);
          all.delete(one);
          if (all.size === 0 && waiting.get(clientId) === all) waiting.delete(clientId);
          resolve();
        };
        const one: Waiting = { number, end };
        const timer = setTimeout(end, ms);
        signal.addEventListener("abort", end, { once: true });
        waiting.set(clientId, all.add(one));
        const [oldest] = all;
        if (all.size > MOST_OF_A_CLIENT) oldest?.end();
        if (!isPolling) void poll();
      });
    },
    count: () => [...waiting.values()].reduce((count, all) => count + all.size, 0),
    close() {
      isClosed = true;
      for (const all of waiting.values()) for (const { end } of all) end();
    },
  };
}

/** Index: change_positions_pkey. */
const feedPositions = (sql: Sql, clientIds: readonly string[]) =>
  sql<{ clientId: string; number: number }[]>`
    SELECT client_id AS "clientId", number::float8 AS number FROM oauth.change_positions
    WHERE client_id = ANY (${clientIds}::text[])`;
