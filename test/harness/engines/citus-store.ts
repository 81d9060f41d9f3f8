/** A Citus cluster with a database that has the extension and nothing else. */
export interface CitusStore {
  /** The coordinator, as the owner. */
  readonly url: string;
  /** The same database as each worker sees it. */
  readonly workers: readonly string[];
  stop(): Promise<void>;
}

export interface NoCitus {
  /** Why there is none. */
  readonly missing: string;
}
