import { DatabaseSync } from "node:sqlite";
import type { IncomingRecord } from "../record/record-reader.ts";

/** KiB of memory. A larger file is kept on disk: in SQLITE_TMPDIR, TMPDIR or /var/tmp. */
const MEMORY = 64 * 1024;

/**
 * Holds the records of a file between the validation of its last line and their storage: in a temporary SQLite database, which goes
 * with the process, however that ends. A record replaces one with its id that was added before.
 */
export class StagedRecords {
  readonly #database = new DatabaseSync("");
  readonly #insert;

  constructor() {
    this.#database.exec(`
      PRAGMA cache_size = -${MEMORY}; PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;
      CREATE TABLE staged (
        number INTEGER PRIMARY KEY, id TEXT UNIQUE ON CONFLICT REPLACE, insertedAt TEXT, updatedAt TEXT, doc TEXT);
      BEGIN`);
    this.#insert = this.#database.prepare("INSERT INTO staged VALUES (NULL, ?, ?, ?, ?)");
  }

  add({ id, insertedAt, updatedAt, doc }: IncomingRecord): void {
    this.#insert.run(id, insertedAt, updatedAt, doc);
  }

  /** The records in the order in which they were added, `size` at a time. */
  *steps(size: number): Generator<readonly IncomingRecord[]> {
    const next = this.#database.prepare("SELECT * FROM staged WHERE number > ? ORDER BY number LIMIT ?");
    let last: unknown = 0;
    for (;;) {
      const records = next.all(Number(last), size);
      if (records.length === 0) return;
      last = records.at(-1)?.["number"];
      yield records as unknown as IncomingRecord[];
    }
  }

  close(): void {
    this.#database.close();
  }
}
