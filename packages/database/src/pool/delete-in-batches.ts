import type { Row, Sql, Transaction, Value } from "./sql.ts";
import { transaction } from "./transaction.ts";

/** Rows per transaction, so that each takes only some milliseconds. */
const BATCH = 1000;

interface DeletedRows {
  /** The table's name, such as `oauth.connections`. */
  readonly table: string;
  /** The columns of the primary key. */
  readonly key: readonly string[];
  /** An SQL condition on the row `t` and the parameter $1. */
  readonly condition: string;
  readonly value: Value;
}

interface BatchOptions {
  /** The columns that `onDeleted` gets, as SQL. Default: the key. */
  readonly returning?: string | undefined;
  /** Runs in the transaction that deletes the rows. Not called without rows. */
  readonly onDeleted?: ((tx: Transaction, rows: readonly Row[]) => Promise<void>) | undefined;
  /** Gets the number of rows deleted so far, after each commit. */
  readonly onProgress?: ((deleted: number) => void) | undefined;
  /** Milliseconds to wait for a locked row; then its batch is skipped. Default: no limit. */
  readonly lockTimeout?: number | undefined;
}

/**
 * Deletes rows in key order, commits each batch, and returns their number. An interrupted run can
 * be repeated.
 */
export async function deleteInBatches(sql: Sql, rows: DeletedRows, options: BatchOptions = {}) {
  const { table, key, condition, value } = rows;
  const { returning = key.join(", "), onDeleted, onProgress, lockTimeout } = options;
  const columns = key.join(", ");
  let deleted = 0;
  for (let after: Row | undefined; ; ) {
    const values = [value, ...key.flatMap((name) => (after ? [after[name] as string] : []))];
    const bound = (from: number) => key.map((_, index) => `$${from + index}`).join(", ");
    const rest = `FROM ${table} t WHERE (${condition}) ${after ? `AND (${columns}) > (${bound(2)})` : ""}`;
    const [last] = await sql.unsafe(
      `SELECT ${columns} ${rest} ORDER BY ${columns} LIMIT 1 OFFSET ${BATCH - 1}`,
      values,
    );
    const upTo = last ? `AND (${columns}) <= (${bound(values.length + 1)})` : "";
    const all = last ? [...values, ...key.map((name) => last[name] as string)] : values;
    deleted += await transaction(sql, async (tx) => {
      if (lockTimeout !== undefined) await tx.unsafe(`SET LOCAL lock_timeout = ${lockTimeout}`);
      const gone = await tx.unsafe(`DELETE ${rest} ${upTo} RETURNING ${returning}`, all);
      if (gone.length > 0) await onDeleted?.(tx, gone);
      return gone.length;
    }).catch((error: { readonly code?: unknown }) => {
      if (lockTimeout !== undefined && error.code === "55P03") return 0;
      throw error;
    });
    onProgress?.(deleted);
    if (!last) return deleted;
    after = last;
  }
}
