import type { Actor } from "@partner-connect/audit";
import type { Sql, Transaction } from "@partner-connect/database";
import { deleteStoredResponses } from "../change-responses.ts";
import { readProductQuestion, readQuestion } from "../record/question-record.ts";
import { FieldError, type IdCheck, type RecordReader } from "../record/record-reader.ts";
import { readDeletion, readProductResponse, readResponse } from "../record/response-record.ts";
import { inShopTransaction, refuseUnknownShop } from "../shop-transaction.ts";
import { type StoreCounts, storeRecords } from "../store-records.ts";
import { completeResponses } from "./complete-responses.ts";
import { splitArray } from "./split-array.ts";
import { BadLines, type Chunks, ImportError, splitLines } from "./split-lines.ts";
import { type StagedRecord, StagedRecords } from "./staged-records.ts";

/**
 * Imports responses with the API's field names, idempotent by `id`; missing ids and times are
 * generated. Needs the owner's role or the back office's. Without an actor no audit record is
 * written. After a fault of Postgres, call it again: what is committed counts as unchanged.
 * @throws {ImportError} with the line, or {UnknownShopError}; nothing was stored then
 */
export function importResponses(sql: Sql, options: ImportOptions, actor: Actor | null) {
  return importRecords(sql, { ...RESPONSES, read: readResponse, ...options }, actor);
}

/**
 * Imports questions with the same rules and errors as responses; `id` and `prompt` are required.
 */
export function importQuestions(sql: Sql, options: ImportOptions, actor: Actor) {
  return importRecords(sql, { ...QUESTIONS, read: readQuestion, ...options }, actor);
}

/**
 * Stores responses of the survey product, all or none, in one transaction. A response without
 * `question` gets that of its `question_id`. @throws {ImportError} with the first bad lines,
 * {UnknownShopError}, {TooManyRecordsError}
 */
export function receiveResponses(sql: Sql, call: ProductCall, actor: Actor) {
  const target = { ...RESPONSES, read: readProductResponse, complete: completeResponses };
  return importRecords(sql, { ...target, ...call, isWhole: true }, actor);
}

/**
 * Stores questions of the survey product, all or none, with the errors of {@link receiveResponses}.
 */
export function receiveQuestions(sql: Sql, call: ProductCall, actor: Actor) {
  const target = { ...QUESTIONS, read: readProductQuestion };
  return importRecords(sql, { ...target, ...call, isWhole: true }, actor);
}

/**
 * Deletes responses for the survey product, all or none, with the errors of {@link
 * receiveResponses}.
 */
export function receiveDeletions(sql: Sql, call: ProductCall, actor: Actor) {
  return importRecords(sql, { ...DELETIONS, ...call, isWhole: true }, actor);
}

export interface ImportOptions {
  readonly shopId: string;
  /** A file or stdin stream, or any iterable of text or bytes. */
  readonly lines: Chunks;
  /** Called after each chunk that is read, and after each commit. */
  readonly onProgress?: (progress: ImportProgress) => void;
}

/** A call of the internal API. */
export interface ProductCall {
  readonly shopId: string;
  readonly lines: Chunks;
  /** True for a JSON array. Default: NDJSON. */
  readonly isArray?: boolean;
  /** An additional check of ids, stricter than the one of every import. @throws {FieldError} */
  readonly requireId: IdCheck;
}

export interface ImportProgress {
  /** 'reading' and validating the file, or 'storing' its records. */
  readonly phase: "reading" | "storing";
  /** Number of records processed in this phase. */
  readonly records: number;
  /** Undefined while the file is read. */
  readonly total?: number;
}

/** The counts of the stored records, and of all records. */
export type ImportResult<Counts = StoreCounts> = Counts & {
  readonly records: number;
  /** Skipped, because another line with the same id counts. */
  readonly superseded: number;
};

/** The error for a call with more records than are allowed. */
export class TooManyRecordsError extends Error {
  readonly code = "TOO_MANY_RECORDS";

  constructor() {
    super(`a call has at most ${MAX_RECORDS} records: send several`);
    this.name = "TooManyRecordsError";
  }
}

/** How records of one kind are parsed and stored. */
interface Target<Counts> {
  readonly read: RecordReader;
  readonly maxLineBytes: number;
  readonly complete?: typeof completeResponses;
  readonly store: (
    sql: Transaction,
    step: { readonly shopId: string; readonly records: readonly StagedRecord[] },
    actor: Actor | null,
  ) => Promise<Counts>;
  /** The counts if there are no records. */
  readonly none: Counts;
}

const NONE: StoreCounts = { inserted: 0, updated: 0, unchanged: 0, older: 0, backfilled: 0 };

const RESPONSES: Omit<Target<StoreCounts>, "read"> = {
  maxLineBytes: 64 * 1024,
  store: (sql, step, actor) => storeRecords(sql, { table: "responses", ...step }, actor),
  none: NONE,
};
const QUESTIONS: Omit<Target<StoreCounts>, "read"> = {
  maxLineBytes: 1024 * 1024,
  store: (sql, step, actor) => storeRecords(sql, { table: "questions", ...step }, actor),
  none: NONE,
};
const DELETIONS: Target<{ readonly deleted: number; readonly older: number }> = {
  read: readDeletion,
  maxLineBytes: 64 * 1024,
  store: deleteStoredResponses,
  none: { deleted: 0, older: 0 },
};

/** Memory for staged records in KiB: of a file import, and of a call, of which several may run. */
const [MEMORY, CALL_MEMORY] = [64 * 1024, 2 * 1024];

/** Maximum records of one call. */
const MAX_RECORDS = 10_000;
/** Maximum bad lines that a call reports. An import of a file ends at its first bad line. */
const MAX_ERRORS = 10;

interface Import<Counts> extends ImportOptions, Target<Counts> {
  readonly isArray?: boolean;
  readonly requireId?: IdCheck;
  /** True to store all steps in one transaction. Default: each step is committed. */
  readonly isWhole?: boolean;
}

async function importRecords<Counts extends object>(
  sql: Sql,
  given: Import<Counts>,
  actor: Actor | null,
): Promise<ImportResult<Counts>> {
  const { shopId, complete, store, isWhole = false, onProgress } = given;
  await refuseUnknownShop(sql, shopId);
  const staged = new StagedRecords(isWhole ? CALL_MEMORY : MEMORY);
  try {
    const bad = new BadLines(isWhole ? MAX_ERRORS : 1);
    const records = await stageLines(staged, given, await postgresClock(sql), bad);
    const total = staged.count();
    const counts = { ...given.none } as Record<string, number>;
    let stored = 0;
    const storeSteps = async (pending: () => Iterable<readonly StagedRecord[]>) => {
      const committed = await inShopTransaction(sql, shopId, async (inside) => {
        const badInAttempt = new BadLines(MAX_ERRORS, bad.errors);
        const steps: { readonly size: number; readonly counted: Counts }[] = [];
        for (const step of pending()) {
          const records = complete ? await complete(inside, shopId, step, badInAttempt) : step;
          if (badInAttempt.errors.length > 0) continue;
          steps.push({
            size: step.length,
            counted: await store(inside, { shopId, records }, actor),
          });
        }
        badInAttempt.throwIfAny();
        return steps;
      });
      for (const { size, counted } of committed) {
        for (const [name, count] of Object.entries(counted))
          counts[name] = (counts[name] ?? 0) + count;
        stored += size;
      }
      onProgress?.({ phase: "storing", records: stored, total });
    };
    if (isWhole) await storeSteps(() => staged.steps());
    else for (const step of staged.steps()) await storeSteps(() => [step]);
    return { ...(counts as Counts), records, superseded: records - total };
  } finally {
    staged.close();
  }
}

/** Returns Postgres's clock, which stamps records: times after it are refused as future ones. */
async function postgresClock(sql: Sql): Promise<() => number> {
  const [clock] = await sql<{ ahead: number }[]>`
    SELECT extract(epoch FROM clock_timestamp())::float8 * 1000 - ${Date.now()}::float8 AS ahead`;
  return () => Date.now() + (clock?.ahead ?? 0);
}

/**
 * Validates the lines, stages their records, and returns the number of records. @throws
 * {ImportError}, {TooManyRecordsError}
 */
async function stageLines(
  staged: StagedRecords,
  given: Import<unknown>,
  now: () => number,
  bad: BadLines,
): Promise<number> {
  const { lines, isArray, maxLineBytes, read, requireId, isWhole, onProgress } = given;
  let line = 0;
  let records = 0;
  const stage = (text: string, at: number) => {
    line++;
    if (text.trim() === "") return;
    if (isWhole && records === MAX_RECORDS) throw new TooManyRecordsError();
    records++;
    try {
      staged.add({ ...read(text, at, requireId), line });
    } catch (error) {
      if (error instanceof FieldError) bad.add(new ImportError(line, error.message, error.field));
      else if (error instanceof SyntaxError) bad.add(new ImportError(line, "is not a JSON object"));
      else throw error;
    }
  };
  try {
    for await (const block of (isArray ? splitArray : splitLines)(lines, maxLineBytes)) {
      const at = now();
      for (const text of block) stage(text, at);
      onProgress?.({ phase: "reading", records });
    }
  } catch (error) {
    // Reading ends at bytes that can't be split into lines.
    if (error instanceof ImportError && !bad.errors.includes(error)) bad.add(error);
    if (error instanceof ImportError) bad.throwIfAny();
    throw error;
  }
  return records;
}
