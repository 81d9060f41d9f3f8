import { DatabaseSync } from "node:sqlite";
import type {
  FollowState,
  SurveyResponse,
  SyncBatch,
  SyncState,
} from "@partner-connect/partner-sdk";

/** `states` has one row for the feed and one for each copy, as the SDK gave them. */
const TABLES = `
  PRAGMA journal_mode = WAL;
  PRAGMA busy_timeout = 5000;
  CREATE TABLE IF NOT EXISTS states (id TEXT PRIMARY KEY, state TEXT NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS failures (connection_id TEXT PRIMARY KEY, cause TEXT NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS responses (connection_id TEXT, id TEXT, inserted_at TEXT NOT NULL, question_id INTEGER,
    response TEXT, record TEXT NOT NULL, PRIMARY KEY (connection_id, id)) STRICT, WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS responses_by_time ON responses (connection_id, inserted_at, id);`;

/** The most frequent first. */
export interface ChannelCounts {
  readonly question: string;
  readonly channels: readonly { readonly channel: string; readonly amount: number }[];
}

/** The copies of all shops. The connections with their tokens are in the SDK's own store. */
export class Store {
  readonly #database: DatabaseSync;

  constructor(path: string) {
    this.#database = new DatabaseSync(path);
    this.#database.exec(TABLES);
  }

  close(): void {
    this.#database.close();
  }

  #run(sql: string, ...values: (string | number | null)[]): number {
    return Number(this.#database.prepare(sql).run(...values).changes);
  }

  #rows(sql: string, ...values: string[]): Record<string, unknown>[] {
    return this.#database.prepare(sql).all(...values);
  }

  state<State extends FollowState | SyncState>(id: string): State | null {
    return JSON.parse(
      String(this.#rows("SELECT state FROM states WHERE id = ?", id)[0]?.["state"] ?? null),
    );
  }

  /** Makes `change` and replaces the state in one transaction, if the state is still `previous`. */
  replaceState(id: string, state: object, previous: object | null, change = () => {}): boolean {
    this.#database.exec("BEGIN IMMEDIATE");
    try {
      const isSame = JSON.stringify(this.state(id)) === JSON.stringify(previous);
      if (isSame)
        this.#run("INSERT OR REPLACE INTO states VALUES (?, ?)", id, JSON.stringify(state));
      if (isSame) change();
      this.#database.exec("COMMIT");
      return isSame;
    } catch (error) {
      this.#database.exec("ROLLBACK");
      throw error;
    }
  }

  apply(
    id: string,
    { reset, responses, deletedIds, state }: SyncBatch,
    previous: SyncState | null,
  ): boolean {
    return this.replaceState(id, state, previous, () => {
      if (reset) this.#run("DELETE FROM responses WHERE connection_id = ?", id);
      const put = this.#database.prepare(
        "INSERT OR REPLACE INTO responses VALUES (?, ?, ?, ?, ?, ?)",
      );
      for (const record of responses) {
        const { inserted_at, question_id, response } = record;
        put.run(id, record.id, inserted_at, question_id, response, JSON.stringify(record));
      }
      for (const gone of deletedIds)
        this.#run("DELETE FROM responses WHERE connection_id = ? AND id = ?", id, gone);
      this.setFailure(id, null);
    });
  }

  /**
   * Stores why a copy is not up to date: a status, an error's code, or `ReconnectRequired.reason`.
   */
  setFailure(id: string, cause: string | null): void {
    if (cause === null) this.#run("DELETE FROM failures WHERE connection_id = ?", id);
    else this.#run("INSERT OR REPLACE INTO failures VALUES (?, ?)", id, cause);
  }

  failure(id: string): string | null {
    const [row] = this.#rows("SELECT cause FROM failures WHERE connection_id = ?", id);
    return row ? String(row["cause"]) : null;
  }

  forget(id: string): void {
    for (const table of ["responses", "failures"])
      this.#run(`DELETE FROM ${table} WHERE connection_id = ?`, id);
    this.#run("DELETE FROM states WHERE id = ?", id);
  }

  count(id: string): number {
    return Number(
      this.#rows("SELECT count(*) AS n FROM responses WHERE connection_id = ?", id)[0]?.["n"],
    );
  }

  newest(id: string): SurveyResponse[] {
    const sql =
      "SELECT record FROM responses WHERE connection_id = ? ORDER BY inserted_at DESC, id DESC LIMIT 25";
    return this.#rows(sql, id).map(({ record }) => JSON.parse(String(record)));
  }

  /** Counts for the most answered question with options. */
  channels(id: string): ChannelCounts | null {
    const rows = this.#rows(
      `SELECT record ->> '$.question' AS question, response AS channel, count(*) AS amount FROM responses
       WHERE connection_id = ?1 AND response IS NOT NULL AND question_id = (SELECT question_id FROM responses
         WHERE connection_id = ?1 AND response IS NOT NULL GROUP BY question_id ORDER BY count(*) DESC LIMIT 1)
       GROUP BY channel ORDER BY amount DESC`,
      id,
    ) as unknown as { question: string; channel: string; amount: number }[];
    return rows[0] ? { question: rows[0].question, channels: rows } : null;
  }
}
