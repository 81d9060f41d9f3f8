import { DatabaseSync } from "node:sqlite";
import type { IncomingRecord } from "../record/record-reader.ts";

/** KiB of memory. A larger file is kept on disk: in SQLITE_TMPDIR, TMPDIR or /var/tmp. */
const MEMORY = 64 * 1024;

/**
 * Holds the records of a file between the validation of its last line and their storage: in a temporary SQLite database, which goes
 * with the process, however that ends.
 */
export class StagedRecords {
  readonly #database = new DatabaseSync("");
  readonly #insert;

  constructor() {
    this.#database.exec(`
      PRAGMA cache_size = -${MEMORY}; PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;
      CREATE TABLE staged (line INTEGER PRIMARY KEY, id TEXT, insertedAt INTEGER, updatedAt INTEGER, head TEXT, tail TEXT);
      BEGIN`);
    this.#insert = this.#database.prepare("INSERT INTO staged VALUES (?, ?, ?, ?, ?, ?)");
  }

  add(line: number, { id, insertedAt, updatedAt, head, tail }: IncomingRecord): void {
    this.#insert.run(line, id, insertedAt ?? null, updatedAt ?? null, head, tail);
  }

  /** Keeps the last of several lines with one id, and returns how many it dropped. */
  dropSuperseded(): number {
    this.#database.exec("CREATE INDEX staged_by_id ON staged (id)");
    const dropped = this.#database.prepare(`
      DELETE FROM staged WHERE EXISTS (
        SELECT 1 FROM staged AS later WHERE later.id = staged.id AND later.line > staged.line)`);
    return Number(dropped.run().changes);
  }

  /** The records in the order of their lines, `size` at a time. */
  *steps(size: number): Generator<IncomingRecord[]> {
    const next = this.#database.prepare("SELECT * FROM staged WHERE line > ? ORDER BY line LIMIT ?");
    for (let after = 0; ; ) {
      const rows = next.all(after, size);
      if (rows.length === 0) return;
      after = Number(rows.at(-1)?.["line"]);
      yield rows.map(
        ({ id, insertedAt, updatedAt, head, tail }) =>
          ({
            id,
            insertedAt: insertedAt ?? undefined,
            updatedAt: updatedAt ?? undefined,
            head,
            tail,
          }) as IncomingRecord,
      );
    }
  }

  close(): void {
    this.#database.close();
  }
}
