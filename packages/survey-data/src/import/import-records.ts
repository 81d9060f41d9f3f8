import { DatabaseSync } from "node:sqlite";
import type { Actor } from "@partner-connect/audit";
import type { Sql } from "@partner-connect/database";
import { readQuestion } from "../record/question-record.ts";
import { FieldError, type IncomingRecord, type RecordReader, type RequireId } from "../record/record-reader.ts";
import { readResponse } from "../record/response-record.ts";
import { type StoreCounts, type SurveyTable, storeRecords } from "../store-records.ts";
import { requireShop, writeShop } from "../take-stamp.ts";
import { splitArray } from "./split-array.ts";
import { type Chunks, ImportError, splitLines } from "./split-lines.ts";

/** Records per step, and about as many characters of theirs: a step is held in memory several times. */
export const IMPORT_STEP = 2000;
const STEP_CHARACTERS = 2 * 1024 * 1024;

/**
 * Imports responses with the API's field names, idempotent by `id`; missing ids and times are assigned. Needs the owner's role or the back office's.
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
  /** A file or stdin stream, or any iterable of text or bytes. */
  readonly lines: Chunks;
  /** Default: NDJSON. */
  readonly isArray?: boolean;
  /** All steps in one transaction. Default: each step is committed. */
  readonly isWhole?: boolean;
  /** Refuses more ids than all imports do, null where a record has none. @throws {FieldError} */
  readonly requireId?: RequireId;
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
  readonly read: RecordReader;
  readonly maxLineBytes: number;
}

async function importRecords(
  sql: Sql,
  target: Target,
  { shopId, lines, isArray = false, isWhole = false, requireId, onProgress }: ImportOptions,
  actor: Actor | null,
): Promise<ImportResult> {
  await requireShop(sql, shopId);
  const staged = new StagedRecords(isWhole ? CALL_MEMORY : MEMORY);
  try {
    const blocks = (isArray ? splitArray : splitLines)(lines, target.maxLineBytes);
    const read = (line: string, now: number) => target.read(line, now, requireId);
    const records = await stageLines(staged, blocks, read, await postgresClock(sql), onProgress);
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
    const commit = async (steps: () => Iterable<readonly IncomingRecord[]>) => {
      const done = await writeShop(sql, shopId, async (inside) => {
        const counts: StoreCounts[] = [];
        for (const records of steps()) {
          counts.push(await storeRecords(inside, { ...target, shopId, records }, actor));
        }
        return counts;
      });
      for (const counts of done) {
        for (const [name, count] of Object.entries(counts)) result[name as keyof StoreCounts] += count;
        stored += counts.inserted + counts.updated + counts.unchanged + counts.older;
      }
      onProgress?.({ phase: "storing", records: stored, of });
    };
    if (isWhole) await commit(() => staged.steps(IMPORT_STEP));
    else for (const step of staged.steps(IMPORT_STEP)) await commit(() => [step]);
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
  blocks: AsyncIterable<readonly string[]>,
  read: (line: string, now: number) => IncomingRecord,
  now: () => number,
  onProgress: ImportOptions["onProgress"],
): Promise<number> {
  let line = 0;
  let records = 0;
  for await (const block of blocks) {
    const at = now();
    for (const text of block) {
      line++;
      if (text.trim() === "") continue;
      try {
        staged.add(read(text, at));
      } catch (error) {
        if (error instanceof FieldError) throw new ImportError(line, error.message, error.field);
        if (error instanceof SyntaxError) throw new ImportError(line, "is not a JSON object");
        throw error;
      }
      records++;
    }
    onProgress?.({ phase: "reading", records });
  }
  return records;
}

/** KiB of memory of a file, and of one of several calls at once. The rest is on disk, in SQLITE_TMPDIR, TMPDIR or /var/tmp. */
const [MEMORY, CALL_MEMORY] = [64 * 1024, 8 * 1024];

/** Validated records in a temporary SQLite database until they are stored. A record replaces an earlier one with its id. */
class StagedRecords {
  readonly #database = new DatabaseSync("");
  readonly #insert;

  constructor(memory: number) {
    this.#database.exec(`
      PRAGMA cache_size = -${memory}; PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;
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

  /** The records in insertion order, at most `size` at a time, and fewer if they are large. */
  *steps(size: number): Generator<readonly IncomingRecord[]> {
    const all = this.#database.prepare("SELECT id, insertedAt, updatedAt, doc FROM staged ORDER BY number").iterate();
    let step: IncomingRecord[] = [];
    let characters = 0;
    for (const record of all as unknown as Iterable<IncomingRecord>) {
      step.push(record);
      characters += record.doc.length;
      if (step.length < size && characters < STEP_CHARACTERS) continue;
      yield step;
      [step, characters] = [[], 0];
    }
    if (step.length > 0) yield step;
  }

  close(): void {
    this.#database.close();
  }
}
