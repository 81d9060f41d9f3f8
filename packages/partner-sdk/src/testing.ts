import type { Clock } from "./network.ts";

/** A clock that is frozen until it is moved. */
export interface MovedClock extends Clock {
  /** Moves on, and lets each sleeper wake at its time. */
  advance(ms: number): Promise<void>;
}

/** @param start milliseconds since 1970 */
export function movedClock(start = Date.parse("2026-11-21T00:00:00Z")): MovedClock {
  let now = start;
  const sleepers = new Set<{ readonly at: number; wake(): void }>();
  return {
    now: () => now,
    sleep: (ms) =>
      new Promise((resolve) => {
        sleepers.add({ at: now + ms, wake: resolve });
      }),
    async advance(ms) {
      const end = now + ms;
      for (;;) {
        // A sleeper that was woken may sleep again before the time moves on.
        await new Promise((resolve) => setImmediate(resolve));
        const next = [...sleepers].filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)[0];
        if (!next) break;
        sleepers.delete(next);
        now = Math.max(now, next.at);
        next.wake();
      }
      now = end;
    },
  };
}
