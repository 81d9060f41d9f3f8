import { tracing } from "@partner-connect/service-runtime/tracing";
import type postgres from "postgres";
import { type DatabaseOptions, openDriver } from "../pool/connect.ts";
import type { Queries, Value } from "../pool/sql.ts";
import { watchedPool } from "../pool/watched-pool.ts";

export type LentRow = Omit<BorrowedRow, "giveBack">;

/** A pool that reads large rows without allocating: its connections read into one buffer each, again and again. */
export interface RowReader {
  readonly sql: Queries;
  /** Executes the statement, prepared; returns, or throws, what `take` makes of its first row. Undefined: no row. */
  readRow<T>(text: string, values: readonly Value[], take: (row: LentRow) => T): Promise<T | undefined>;
  end(options?: { readonly timeout?: number }): Promise<void>;
}

/** Options are as for {@link connectDatabase}. Over TLS it reads as every other pool does. */
export function connectRowReader(databaseUrl: string, options: DatabaseOptions): RowReader {
  const driver = openDriver(databaseUrl, { ...options, reuseReadBuffer: true });
  const sql = watchedPool(driver, { observer: options.observer, traces: tracing() });
  return { sql, readRow: (text, values, take) => readRow(sql, text, values, take), end: (limit) => sql.end(limit) };
}

async function readRow<T>(
  sql: Queries,
  text: string,
  values: readonly Value[],
  take: (row: LentRow) => T,
): Promise<T | undefined> {
  let taken: T | undefined;
  let thrown: { readonly error: unknown } | undefined;
  let isFirst = true;
  const statement = sql.unsafe(text, values, { prepare: true }) as unknown as postgres.PendingQuery<postgres.Row[]>;
  const query = statement.raw();
  await query.forEach((values: readonly (Buffer | null)[], { columns }: { columns: readonly { name: string }[] }) => {
    if (!isFirst) return;
    isFirst = false;
    const row = new BorrowedRow(columns, values);
    try {
      taken = take(row);
    } catch (error) {
      // The driver would take it for a failure of the connection.
      thrown = { error };
    } finally {
      row.giveBack();
    }
  });
  if (thrown) throw thrown.error;
  return taken;
}

interface Column {
  readonly name: string;
}

/** A row in the connection's read buffer, which the next read overwrites: it is copied within one call, and then methods throw. */
class BorrowedRow {
  readonly #columns: readonly Column[];
  readonly #values: readonly (Buffer | null)[];
  #isReturned = false;

  constructor(columns: readonly Column[], values: readonly (Buffer | null)[]) {
    this.#columns = columns;
    this.#values = values;
  }

  /** The value as Postgres writes it as text; null for NULL. */
  text(column: string): string | null {
    return this.#value(column)?.toString() ?? null;
  }

  /** Bytes of the value; null for NULL. */
  size(column: string): number | null {
    return this.#value(column)?.length ?? null;
  }

  /** Copies the value to the beginning of `target`, which has room for it, and returns how many bytes it has. */
  copyInto(column: string, target: Buffer): number {
    return this.#value(column)?.copy(target) ?? 0;
  }

  /** Nothing can be read from here on. */
  giveBack(): void {
    this.#isReturned = true;
  }

  #value(column: string): Buffer | null {
    if (this.#isReturned) throw new TypeError("a row can be read within its call alone");
    const index = this.#columns.findIndex(({ name }) => name === column);
    const value = this.#values[index];
    if (value === undefined) throw new TypeError(`the row has no column ${column}`);
    return value;
  }
}
