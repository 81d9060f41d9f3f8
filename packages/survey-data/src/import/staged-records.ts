import { DatabaseSync } from "node:sqlite";
import { FieldError, type IncomingRecord } from "../record/record-reader.ts";

/** Maximum records and, approximately, characters of a step, of which memory has several copies. */
export const IMPORT_STEP = 1000;
const STEP_CHARACTERS = 1024 * 1024;

export interface StagedRecord extends IncomingRecord {
  readonly line: number;
}

const COLUMNS = "line, id, insertedAt, updatedAt, version, isIncomplete, doc";

/**
 * Validated records in a temporary SQLite database until they are stored, on disk in SQLITE_TMPDIR,
 * TMPDIR or /var/tmp. A record replaces an earlier one with the same id, unless its version is
 * lower.
 */
export class StagedRecords {
  readonly #database = new DatabaseSync("");
  readonly #insert;

  /** @param memory in KiB */
  constructor(memory: number) {
    this.#database.exec(`
      PRAGMA cache_size = -${memory}; PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;
      CREATE TABLE staged (
        line INTEGER PRIMARY KEY, id TEXT UNIQUE, insertedAt TEXT, updatedAt TEXT, version INTEGER,
        isIncomplete INTEGER, doc TEXT);
      BEGIN`);
    this.#insert = this.#database.prepare(`
      INSERT INTO staged (${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (id) DO UPDATE SET line = excluded.line, insertedAt = excluded.insertedAt, updatedAt = excluded.updatedAt,
        version = excluded.version, isIncomplete = excluded.isIncomplete, doc = excluded.doc
      WHERE excluded.version >= version OR (excluded.version IS NULL AND version IS NULL)`);
  }

  /** @throws {FieldError} if only one of the record and an earlier one with its id has a version */
  add({ line, id, insertedAt, updatedAt, version, isIncomplete, doc }: StagedRecord): void {
    const values = [line, id, insertedAt, updatedAt, version, Number(isIncomplete), doc];
    if (this.#insert.run(...values).changes > 0) return;
    const mixed = "SELECT 1 FROM staged WHERE id = ? AND (version IS NULL) <> (? IS NULL)";
    if (this.#database.prepare(mixed).get(id, version))
      throw new FieldError("version", "must be in all records of an id, or in none");
  }

  count(): number {
    return Number(this.#database.prepare("SELECT count(*) AS count FROM staged").get()?.["count"]);
  }

  /**
   * The records in the order of their lines, at most `IMPORT_STEP` at a time, and fewer if they are
   * large.
   */
  *steps(): Generator<readonly StagedRecord[]> {
    const all = this.#database.prepare(`SELECT ${COLUMNS} FROM staged ORDER BY line`).iterate();
    let step: StagedRecord[] = [];
    let characters = 0;
    for (const record of all as unknown as Iterable<StagedRecord>) {
      step.push(record);
      characters += record.doc.length;
      if (step.length < IMPORT_STEP && characters < STEP_CHARACTERS) continue;
      yield step;
      [step, characters] = [[], 0];
    }
    if (step.length > 0) yield step;
  }

  close(): void {
    this.#database.close();
  }
}
