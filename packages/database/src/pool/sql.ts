export type Row = Readonly<Record<string, unknown>>;

/** A statement's result: its rows, and how many it returned or changed. */
export type Rows<Returned extends readonly object[]> = Returned & { readonly count: number };

declare const PART: unique symbol;

/** A part of a statement that is no plain value: a name, a JSON value, another statement. */
export interface Part {
  readonly [PART]: true;
}

/** A row's values in the order of its columns, undecoded: text is UTF-8; null for NULL. */
export type RawRow = readonly (Buffer | null)[];

/**
 * A statement, which is sent when it is awaited. Until then it can become a part of another one.
 */
export interface Statement<Returned extends readonly object[] = Row[]>
  extends Promise<Rows<Returned>>,
    Part {
  /** The same statement, with undecoded rows. */
  raw(): Promise<readonly RawRow[]>;
}

/** A parameter, or a part of the statement. */
export type Value =
  | string
  | number
  | bigint
  | boolean
  | Date
  | Uint8Array
  | null
  | Part
  | readonly Value[];

export interface Queries {
  /** A prepared statement with parameters. */
  <Returned extends readonly object[] = Row[]>(
    text: TemplateStringsArray,
    ...values: readonly Value[]
  ): Statement<Returned>;
  /** A quoted name of a table, column or role. */
  (name: string): Part;
  /**
   * Sends `text` unchanged. With `values` ($1, $2, …) it is one statement; without, it may be
   * several.
   */
  unsafe<Returned extends readonly object[] = Row[]>(
    text: string,
    values?: readonly Value[],
    options?: { readonly prepare?: boolean },
  ): Statement<Returned>;
  json(value: object): Part;
  /**
   * Passes `event` to the pool's `onCommit` after the commit; a rollback drops it. Outside of a
   * transaction it is passed immediately.
   */
  afterCommit(event: Row): void;
}

declare const TRANSACTION: unique symbol;

export interface Transaction extends Queries {
  readonly [TRANSACTION]: true;
}

export interface Sql extends Queries {
  /**
   * Commits when `work` resolves, and rolls back when it rejects. A lost connection rejects
   * immediately with a fault.
   */
  begin<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
  /** Waits for pending statements, at most `timeout` seconds (default: 5). */
  end(options?: { readonly timeout?: number }): Promise<void>;
}
