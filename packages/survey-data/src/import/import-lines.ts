import { formatTimestamp } from "@partner-connect/contract";
import type { Transaction } from "@partner-connect/database";
import { FieldError } from "../record/field.ts";
import type { IncomingRecord } from "../record/record-reader.ts";
import { type Chunks, ImportError, splitLines } from "./split-lines.ts";

export type Staged = Awaited<ReturnType<typeof importLines>>;

interface Source {
  readonly chunks: Chunks;
  readonly maxLineBytes: number;
  readonly read: (line: string, now: number) => IncomingRecord;
  readonly onRecords?: (records: number) => void;
}

/** Reads every line into staged_records, in bounded memory; nobody waits for it. @throws {ImportError} for the first bad line */
export async function importLines(sql: Transaction, source: Source) {
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
  return { records, /** Milliseconds: the latest time of a record of the file. */ latest };
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

/** How much text is sent to Postgres at a time; bytes, roughly. */
const BATCH = 128 * 1024;

/** COPY into staged_records, on the transaction's connection, which takes no other statement until the COPY ends. */
export async function copyRows(sql: Transaction) {
  const stream = await sql.copy("COPY staged_records (line, id, inserted_at, updated_at, head, tail) FROM STDIN");
  let failure: Error | undefined;
  stream.on("error", (error) => {
    failure = error;
  });
  let batch = "";
  const flush = async () => {
    const bytes = batch;
    batch = "";
    // Lets the event loop run, as the failure of a COPY arrives there.
    if (bytes !== "" && !failure) await new Promise((resolve) => stream.write(bytes, () => setImmediate(resolve)));
    if (failure) throw failure;
  };
  return {
    /** Adds a row, its values in the order of the columns; undefined is NULL. Waits while Postgres takes no more. */
    row: async (values: readonly (string | number | undefined)[]): Promise<void> => {
      batch += `${values.map(escaped).join("\t")}\n`;
      if (batch.length >= BATCH) await flush();
    },
    /** Sends the rest. A failure of the COPY after this shows as the failure of the transaction's next statement. */
    end: async (): Promise<void> => {
      await flush();
      stream.end(); // nothing is pending, so this ends the COPY at once and the connection takes statements again
    },
    /** Cancels the COPY, so that the transaction can be rolled back. The server logs the text. */
    abandon: () => void stream.destroy(new Error("the import was given up")),
  };
}

/** COPY's text format. Records are JSON, so they have no raw tab or newline; only backslashes are special. */
function escaped(value: string | number | undefined): string | number {
  if (value === undefined) return "\\N";
  return typeof value === "string" && value.includes("\\") ? value.replaceAll("\\", "\\\\") : value;
}
