import { DatabaseSync } from "node:sqlite";
import type { Actor } from "@partner-connect/audit";
import type { Sql, Transaction } from "@partner-connect/database";
import { FieldError } from "../record/field.ts";
import { readQuestion } from "../record/question-record.ts";
import type { IncomingRecord } from "../record/record-reader.ts";
import { readResponse } from "../record/response-record.ts";
import { type StoreCounts, type SurveyTable, storeRecords } from "../store-records.ts";
import { requireShop, writeShop } from "../take-stamp.ts";
import { type Chunks, ImportError, splitLines } from "./split-lines.ts";

/** Records per transaction. */
export const IMPORT_STEP = 2000;

/**
 * Imports responses as NDJSON with the API's field names, idempotent by `id`; missing ids and times are assigned. Needs the owner's role or the back office's.
 * Without an actor no audit record is written. After a fault of Postgres run it again: the committed steps are skipped. @throws
 * {ImportError} with the line, {UnknownShopError}: then nothing was stored
 */
export function importResponses(sql: Sql, options: ImportOptions, actor: Actor | null): Promise<ImportResult> {
  return importRecords(sql, { table: "responses", read: readResponse, maxLineBytes: 64 * 1024 }, options, actor);
}

/** Imports questions with the same rules and errors as responses; `id` and `prompt` are required. */
export function importQuestions(sql: Sql, options: ImportOptions, actor: Actor): Promise<ImportResult> {
  return importRecords(sql, { table: "questions", read: readQuestion, maxLineBytes: 1024 * 1024 }, options, actor);
}

export interface ImportOptions {
  readonly shopId: string;
  /** NDJSON: a file or stdin stream, or any iterable of text or bytes. */
  readonly lines: Chunks;
  /** Called after each chunk and each step, more often than a terminal needs. */
  readonly onProgress?: (progress: ImportProgress) => void;
}

export interface ImportProgress {
  /** 'reading' validates the file, 'storing' writes it. */
  readonly phase: "reading" | "storing";
  /** Number of records processed in this phase. */
  readonly records: number;
  /** Total number; undefined while the file is read. */
  readonly of?: number;
}

/** Counts of the file's records. */
export interface ImportResult extends StoreCounts {
  readonly records: number;
  /** Skipped, because a later line has the same id. */
  readonly superseded: number;
}

interface Target {
  readonly table: SurveyTable;
  readonly read: (line: string, now: number) => IncomingRecord;
  readonly maxLineBytes: number;
}

async function importRecords(
  sql: Sql,
  target: Target,
  { shopId, lines, onProgress }: ImportOptions,
  actor: Actor | null,
): Promise<ImportResult> {
  await requireShop(sql, shopId);
  const staged = new StagedRecords();
  try {
    const records = await stageLines(staged, lines, target, await postgresClock(sql), onProgress);
    const of = staged.count();
    const result = {
      records,
      inserted: 0,
      updated: 0,
      unchanged: 0,
      older: 0,
      superseded: records - of,
      backfilled: 0,
    };
    let stored = 0;
    for (const step of staged.steps(IMPORT_STEP)) {
      const store = (inside: Transaction) => storeRecords(inside, { ...target, shopId, records: step }, actor);
      const counts = await writeShop(sql, shopId, store);
      for (const [name, count] of Object.entries(counts)) result[name as keyof StoreCounts] += count;
      stored += step.length;
      onProgress?.({ phase: "storing", records: stored, of });
    }
    return result;
  } finally {
    staged.close();
  }
}

/** The clock by which times in the future are refused. Postgres's, because it makes the stamps. */
async function postgresClock(sql: Sql): Promise<() => number> {
  const [clock] = await sql<{ ahead: number }[]>`
    SELECT extract(epoch FROM clock_timestamp())::float8 * 1000 - ${Date.now()}::float8 AS ahead`;
  return () => Date.now() + (clock?.ahead ?? 0);
}

/** Validates the lines, and returns the number of records. @throws {ImportError} for the first bad line */
async function stageLines(
  staged: StagedRecords,
  lines: Chunks,
  { read, maxLineBytes }: Target,
  now: () => number,
  onProgress: ImportOptions["onProgress"],
): Promise<number> {
  let line = 0;
  let records = 0;
  for await (const block of splitLines(lines, maxLineBytes)) {
    const at = now();
    for (const text of block) {
      line++;
      if (text.trim() === "") continue;
      try {
        staged.add(read(text, at));
      } catch (error) {
        if (error instanceof FieldError) throw new ImportError(line, error.reason, error.field);
        if (error instanceof SyntaxError) throw new ImportError(line, "is not a JSON object");
        throw error;
      }
      records++;
    }
    onProgress?.({ phase: "reading", records });
  }
  return records;
}

/** KiB of memory; a larger file is on disk, in SQLITE_TMPDIR, TMPDIR or /var/tmp. */
const MEMORY = 64 * 1024;

/** Validated records in a temporary SQLite database until they are stored. A record replaces an earlier one with its id. */
class StagedRecords {
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

  count(): number {
    return Number(this.#database.prepare("SELECT count(*) AS count FROM staged").get()?.["count"]);
  }

  /** The records in insertion order, `size` at a time. */
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
