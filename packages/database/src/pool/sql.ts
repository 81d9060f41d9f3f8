export type Row = Readonly<Record<string, unknown>>;

/** What a statement resolves to: its rows, and how many rows it returned or changed. */
export type Rows<Returned extends readonly object[]> = Returned & { readonly count: number };

declare const PART: unique symbol;

/** What a statement is made of beside its text and its parameters: a name, a JSON document, or another statement. */
export interface Part {
  readonly [PART]: true;
}

/** A row's values, in the order of its columns, as the server sends them: text is UTF-8; null for NULL. */
export type RawRow = readonly (Buffer | null)[];

/** A statement. It is sent when it is awaited. Until then it can be a part of another one. */
export interface Statement<Returned extends readonly object[] = Row[]> extends Promise<Rows<Returned>>, Part {
  /** The same statement, resolving to rows that are not decoded. */
  raw(): Promise<readonly RawRow[]>;
}

/** A parameter, which is sent apart from the text; or a part of the statement. */
export type Value = string | number | bigint | boolean | Date | Uint8Array | null | Part | readonly Value[];

export interface Queries {
  /** Prepared. The values are parameters, so they can be anybody's text. */
  <Returned extends readonly object[] = Row[]>(
    text: TemplateStringsArray,
    ...values: readonly Value[]
  ): Statement<Returned>;
  /** The name of a table, a column or a role, in quotes. */
  (name: string): Part;
  /** `text` is sent as it stands. With `values` ($1, $2, …) it is one statement; without, it may be several. */
  unsafe<Returned extends readonly object[] = Row[]>(
    text: string,
    values?: readonly Value[],
    options?: { readonly prepare?: boolean },
  ): Statement<Returned>;
  json(value: object): Part;
  /** Passes `event` to the pool's `onCommit` after the commit; a rollback drops it. Outside of a transaction it is passed immediately. */
  afterCommit(event: Row): void;
}

declare const TRANSACTION: unique symbol;

export interface Transaction extends Queries {
  readonly [TRANSACTION]: true;
}

/** A pool of connections. */
export interface Sql extends Queries {
  /**
   * Runs `work` in one transaction, which is committed when `work` resolves and rolled back when it rejects. When the
   * connection is lost, this rejects at once with a database fault, whatever `work` waits for. A statement after that, or
   * after the transaction's end, is refused and runs nowhere.
   */
  begin<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
  /** Waits for statements under way, `timeout` seconds at most (default: 5). */
  end(options?: { readonly timeout?: number }): Promise<void>;
}
