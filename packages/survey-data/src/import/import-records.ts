import { type Actor, recordAudit } from "@partner-connect/audit";
import { repeatAfterDeadlock, type Sql, type Transaction } from "@partner-connect/database";
import { readQuestion } from "../record/question-record.ts";
import type { IncomingRecord } from "../record/record-reader.ts";
import { readResponse } from "../record/response-record.ts";
import { takeStamp, writeShop } from "../take-stamp.ts";
import { importLines, type Staged } from "./import-lines.ts";
import { mergeRecords, noteImportedAgain } from "./merge-records.ts";
import type { Chunks } from "./split-lines.ts";
import { countOlder, createStagingTable, dropSuperseded, joinByIndex } from "./staging-table.ts";

/**
 * Imports responses, NDJSON with the API's field names, idempotent by `id`; what lacks id or times gets them. Needs the owner's
 * role. Without an actor no record is written. @throws {ImportError} with the line, {UnknownShopError}: nothing of the file is kept
 */
export function importResponses(sql: Sql, options: ImportOptions, actor: Actor | null): Promise<ImportResult> {
  return importRecords(
    sql,
    { table: "responses", action: "response_import", read: readResponse, maxLineBytes: 64 * 1024 },
    options,
    actor,
  );
}

/** Imports questions, by the same rules and with the same errors as responses; `id` and `prompt` are required. */
export function importQuestions(sql: Sql, options: ImportOptions, actor: Actor): Promise<ImportResult> {
  return importRecords(
    sql,
    { table: "questions", action: "question_import", read: readQuestion, maxLineBytes: 1024 * 1024 },
    options,
    actor,
  );
}

export interface ImportOptions {
  readonly shopId: string;
  /** NDJSON: a file or stdin stream, or any iterable of text or bytes in which each record ends with a newline. */
  readonly lines: Chunks;
  /** Called after each chunk: more often than a terminal needs. */
  readonly onProgress?: (progress: ImportProgress) => void;
}

export interface ImportProgress {
  /** 'reading' the file into staging, then 'storing': one statement, during which nothing more is reported. */
  readonly phase: "reading" | "storing";
  readonly records: number;
}

/** What became of each record of the file: the counts other than `backfilled` add up to `records`. */
export interface ImportResult {
  readonly records: number;
  readonly inserted: number;
  readonly updated: number;
  /** Stored already with the same content. */
  readonly unchanged: number;
  /** Left out, because the shop has the record with a later updated_at. */
  readonly older: number;
  /** Left out, because a later line of the file has the same id. */
  readonly superseded: number;
  /** Of the inserted and updated: with the source's updated_at, which readers may have passed. If not 0, tell the operator. */
  readonly backfilled: number;
}

interface RecordImport {
  readonly table: "responses" | "questions";
  readonly action: "response_import" | "question_import";
  readonly read: (line: string, now: number) => IncomingRecord;
  readonly maxLineBytes: number;
}

/**
 * All or nothing, in one transaction. It takes the shop's lock once all is staged, so a slow source holds up nobody; only the
 * storing is repeated after a deadlock. @throws {ImportError}, {UnknownShopError}
 */
async function importRecords(
  sql: Sql,
  target: RecordImport,
  options: ImportOptions,
  actor: Actor | null,
): Promise<ImportResult> {
  const { shopId, onProgress } = options;
  const work = async (inside: Transaction): Promise<ImportResult> => {
    await createStagingTable(inside, target.table);
    const staged = await importLines(inside, {
      chunks: options.lines,
      maxLineBytes: target.maxLineBytes,
      read: target.read,
      onRecords: (records) => onProgress?.({ phase: "reading", records }),
    });
    onProgress?.({ phase: "storing", records: staged.records });
    const superseded = await dropSuperseded(inside);
    await joinByIndex(inside);
    const store = (within: Transaction) => storeRecords(within, { target, shopId, staged, superseded }, actor);
    return await unlessUnchanged(() => repeatAfterDeadlock(() => inside.savepoint(store)));
  };
  return await writeShop(sql, shopId, work, { repeatable: false });
}

/** Takes back the stamp, by which readers and feeds would be told of a change. */
class Unchanged extends Error {
  readonly result: ImportResult;

  constructor(result: ImportResult) {
    super("nothing was changed");
    this.result = result;
  }
}

async function unlessUnchanged(work: () => Promise<ImportResult>): Promise<ImportResult> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Unchanged) return error.result;
    throw error;
  }
}

interface Stored {
  readonly target: RecordImport;
  readonly shopId: string;
  readonly staged: Staged;
  readonly superseded: number;
}

async function storeRecords(
  sql: Transaction,
  { target, shopId, staged, superseded }: Stored,
  actor: Actor | null,
): Promise<ImportResult> {
  const { table, action } = target;
  const stamp = await takeStamp(
    sql,
    shopId,
    [target.table],
    staged.latest === undefined ? undefined : staged.latest + 1,
  );
  const records = staged.records - superseded;
  const merged = await mergeRecords(sql, table, shopId, stamp, records);
  if (table === "responses" && merged.inserted > 0) await noteImportedAgain(sql, shopId);
  const left = records - merged.inserted - merged.updated;
  const older = left > 0 && staged.latest !== undefined ? await countOlder(sql, table, shopId) : 0;
  const result = { records: staged.records, ...merged, unchanged: left - older, older, superseded };
  if (merged.inserted + merged.updated === 0) throw new Unchanged(result);
  if (actor) await recordAudit(sql, { action, shopId, detail: result }, actor);
  return result;
}
