import pRetry from "p-retry";
import type { Sql, Transaction } from "../pool/sql.ts";
import { transaction } from "../pool/transaction.ts";

/** Milliseconds. Every caller of the table waits behind a try; the services wait 1,500 ms for Postgres, so nobody is refused. */
export const LOCK_WAIT_MS = 300;

/** Milliseconds of pause after a try: for those who waited behind it. It grows from the first to the second. */
const PAUSE_MS = [200, 2000] as const;

export interface ShortLocks {
  /** Milliseconds after which no further try is made. */
  readonly patience: number;
  /** Milliseconds that a try waits for each lock (default: {@link LOCK_WAIT_MS}). */
  readonly lockWait?: (() => number) | undefined;
}

/**
 * Runs `work` in a transaction that waits for locks for a moment only, and tries again until `patience` is over. So a long reader
 * delays the change and nobody else. @throws 55P03 when `patience` is over; nothing is changed then
 */
export async function withShortLocks<T>(
  sql: Sql,
  { patience, lockWait = () => LOCK_WAIT_MS }: ShortLocks,
  work: (tx: Transaction) => Promise<T>,
): Promise<T> {
  const [minTimeout, maxTimeout] = PAUSE_MS;
  const attempt = () =>
    transaction(sql, async (tx) => {
      const settings = `SET LOCAL lock_timeout = ${lockWait()}; SET LOCAL statement_timeout = 0;
        SET LOCAL idle_in_transaction_session_timeout = '60s'`;
      await tx.unsafe(settings);
      return await work(tx);
    });
  return await pRetry(attempt, {
    retries: Number.POSITIVE_INFINITY,
    maxRetryTime: patience,
    minTimeout,
    maxTimeout,
    factor: 1.5,
    shouldRetry: ({ error }) => isHeldUp(error) || PASSING.test(error.message),
  });
}

/** Passes: another transaction changed the same row of a catalogue, or another node of a cluster gave no lock, or is away. */
const PASSING = /tuple concurrently (?:updated|deleted)|^failure on connection marked as essential/;

/** Whether a lock was not to be had in time, or two transactions waited for each other. */
export function isHeldUp(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code;
  return code === "55P03" || code === "40P01";
}
