import type { Sql } from "@partner-connect/database";

export interface Changes {
  /** When the last change of each shop was committed, on the clock of `performance.now()`. */
  readonly committedAt: ReadonlyMap<string, number>;
  /** Waits for the last commits. Returns how many changes a second there were. */
  stop(): Promise<number>;
}

const TICK_MS = 10;

/**
 * Changes one shop after the other, `perSecond` times, however long a commit takes. A change is what every writer of a shop does at its end:
 * it takes the shop's stamp, in a transaction of its own.
 */
export function keepChanging(sql: Sql, shopIds: readonly string[], perSecond: number): Changes {
  const committedAt = new Map<string, number>();
  const began = performance.now();
  const pending = new Set<Promise<void>>();
  let sent = 0;
  let failure: unknown;
  const change = async (shopId: string): Promise<void> => {
    await sql`
      UPDATE survey.stamps SET changes = '{responses}',
        stamp = greatest(date_trunc('milliseconds', clock_timestamp()), stamp + interval '1 millisecond')
      WHERE shop_id = ${shopId}`;
    committedAt.set(shopId, performance.now());
  };
  const timer = setInterval(() => {
    for (const due = ((performance.now() - began) / 1000) * perSecond; sent < due; sent++) {
      const one: Promise<void> = change(shopIds[sent % shopIds.length] ?? "").then(
        () => void pending.delete(one),
        (error) => {
          failure ??= error;
        },
      );
      pending.add(one);
    }
  }, TICK_MS);
  return {
    committedAt,
    async stop() {
      clearInterval(timer);
      await Promise.all(pending);
      if (failure) throw failure;
      return (sent * 1000) / (performance.now() - began);
    },
  };
}
