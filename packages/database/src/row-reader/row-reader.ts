import type postgres from "postgres";
import { type DatabaseOptions, openPool } from "../pool/connect.ts";
import { BorrowedRow } from "./borrowed-row.ts";

type Value = postgres.SerializableParameter<never>;

/** Statements whose rows are objects with values of their own: no raw rows, no COPY, no transaction. */
export interface Queries {
  <Rows extends readonly object[]>(text: TemplateStringsArray, ...values: readonly Value[]): Promise<Rows>;
  unsafe<Rows extends readonly object[]>(
    text: string,
    values: readonly Value[],
    options?: postgres.UnsafeQueryOptions,
  ): Promise<Rows>;
}

/** What {@link RowReader.readRow} lends. */
export type LentRow = Omit<BorrowedRow, "giveBack">;

/** A pool that reads large rows without allocating: its connections read into one buffer each, again and again. */
export interface RowReader {
  readonly sql: Queries;
  /**
   * Executes the statement, prepared, and lends its first row to `take` as it arrives.
   * @returns what `take` makes of the row; undefined when there is none
   * @throws what `take` throws, once the statement has ended
   */
  readRow<T>(text: string, values: readonly Value[], take: (row: LentRow) => T): Promise<T | undefined>;
  end(options?: { readonly timeout?: number }): Promise<void>;
}

/** Options are as for {@link connectDatabase}. Over TLS it reads as every other pool does. */
export function connectRowReader(databaseUrl: string, options: DatabaseOptions): RowReader {
  const pool = openPool(databaseUrl, { ...options, reuseReadBuffer: true });
  return {
    sql: queriesOf(pool),
    readRow: (text, values, take) => readRow(pool, text, values, take),
    end: (limit) => pool.end(limit),
  };
}

async function readRow<T>(
  pool: postgres.Sql,
  text: string,
  values: readonly Value[],
  take: (row: LentRow) => T,
): Promise<T | undefined> {
  let taken: T | undefined;
  let thrown: { readonly error: unknown } | undefined;
  let isFirst = true;
  const query = pool.unsafe(text, [...values], { prepare: true }).raw();
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

/** Plain promises: what postgres.js offers beside the rows, `raw()` first of all, can't be reached. */
function queriesOf(pool: postgres.Sql): Queries {
  const tagged = async (text: TemplateStringsArray, ...values: readonly Value[]) => [...(await pool(text, ...values))];
  const unsafe: Queries["unsafe"] = async <Rows>(text: string, values: readonly Value[], options = {}) =>
    [...(await pool.unsafe(text, [...values], options))] as Rows;
  return Object.assign(tagged as unknown as Queries, { unsafe });
}
