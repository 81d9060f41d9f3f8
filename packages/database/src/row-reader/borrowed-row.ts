/** What Postgres says of a column; its order is that of the values. */
interface Column {
  readonly name: string;
}

/**
 * A row whose bytes lie in the connection's read buffer, which the next read overwrites. It can be read within one call: what is
 * wanted of it is copied there, as text or into a buffer of the reader's. After the call each method throws. Nothing
 * hands out the bytes themselves.
 */
export class BorrowedRow {
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
    if (this.#isReturned) throw new TypeError("the row was read after the call that it was lent for");
    const index = this.#columns.findIndex(({ name }) => name === column);
    const value = this.#values[index];
    if (value === undefined) throw new TypeError(`the row has no column ${column}`);
    return value;
  }
}
