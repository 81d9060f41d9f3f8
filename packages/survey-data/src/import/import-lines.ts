import { formatTimestamp } from "@partner-connect/contract";
import type { Transaction } from "@partner-connect/database";
import { ImportError } from "../import-error.ts";
import { FieldError } from "../record/field.ts";
import type { IncomingRecord } from "../record/record-reader.ts";
import { copyRows } from "./copy-rows.ts";
import { type Chunks, splitLines } from "./split-lines.ts";

export interface Staged {
  readonly records: number;
  /** The latest time of a record of the file, in milliseconds. */
  readonly latest: number | undefined;
}

export interface Source {
  readonly chunks: Chunks;
  readonly maxLineBytes: number;
  readonly read: (line: string, now: number) => IncomingRecord;
  readonly onRecords?: (records: number) => void;
}

/**
 * Reads every line into staged_records, a table of this transaction alone, in bounded memory. Nobody waits for it.
 * Throws {@link ImportError} for the first bad line.
 */
export async function importLines(sql: Transaction, source: Source): Promise<Staged> {
  const [clock] = await sql<{ ahead: number }[]>`
    SELECT extract(epoch FROM clock_timestamp())::float8 * 1000 - ${Date.now()}::float8 AS ahead`;
  const copy = await copyRows(sql);
  let line = 0;
  let records = 0;
  let latest: number | undefined;
  try {
    for await (const block of splitLines(source.chunks, source.maxLineBytes)) {
      const now = Date.now() + (clock?.ahead ?? 0); // Postgres's clock, which makes the stamps, decides what is in the future
      for (const text of block) {
        line++;
        if (text.trim() === "") continue;
        const record = readRecord(source, text, line, now);
        records++;
        const time = record.updatedAt ?? record.insertedAt;
        if (time !== undefined && (latest === undefined || time > latest)) latest = time;
        await copy.row([line, record.id, stamp(record.insertedAt), stamp(record.updatedAt), record.head, record.tail]);
      }
      source.onRecords?.(records);
    }
    await copy.end();
  } catch (error) {
    copy.abandon();
    throw error;
  }
  return { records, latest };
}

function readRecord(source: Source, text: string, line: number, now: number): IncomingRecord {
  try {
    return source.read(text, now);
  } catch (error) {
    if (error instanceof FieldError) throw new ImportError(line, error.reason, error.field);
    if (error instanceof SyntaxError) throw new ImportError(line, "is not a JSON object");
    throw error;
  }
}

function stamp(instant: number | undefined): string | undefined {
  return instant === undefined ? undefined : formatTimestamp(instant);
}
