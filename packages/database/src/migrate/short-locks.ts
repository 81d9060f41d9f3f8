import pRetry from "p-retry";
import type { Sql, Transaction } from "../pool/sql.ts";
import { transaction } from "../pool/transaction.ts";

/**
 * Milliseconds that an attempt waits for a lock. Other statements on the table queue behind it; the
 * services wait at least 2 s for Postgres, so none fails.
 */
export const LOCK_WAIT_MS = 300;

export interface ShortLocks {
  /** Milliseconds after which no further attempt begins. */
  readonly patience: number;
  /** Milliseconds that an attempt waits for each lock (default: {@link LOCK_WAIT_MS}). */
  readonly lockWait?: () => number;
  /** Called after an attempt that got no lock. */
  readonly onLockFailure?: () => Promise<void>;
}

/**
 * Runs `work` in a transaction with a short lock timeout, retrying until `patience` has passed.
 * @throws 55P03 if it gets no lock; nothing is changed then
 */
export async function withShortLocks<T>(
  sql: Sql,
  { patience, lockWait = () => LOCK_WAIT_MS, onLockFailure }: ShortLocks,
  work: (tx: Transaction) => Promise<T>,
): Promise<T> {
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
    // During a pause, the statements that queued behind the attempt proceed.
    minTimeout: 200,
    maxTimeout: 2000,
    factor: 1.5,
    onFailedAttempt: async ({ error }) => {
      if (isLockFailure(error)) await onLockFailure?.();
    },
    shouldRetry: ({ error }) => isLockFailure(error) || PASSING.test(error.message),
  });
}

/**
 * Messages of transient errors: another transaction changed the same catalog row, or another node
 * of a cluster is down or has locked the table.
 */
const PASSING = /tuple concurrently (?:updated|deleted)|^failure on connection marked as essential/;

/** True for a lock timeout or a deadlock. */
export function isLockFailure(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code;
  return code === "55P03" || code === "40P01";
}
