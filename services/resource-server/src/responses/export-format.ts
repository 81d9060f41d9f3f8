import { quality } from "@partner-connect/service-runtime";
import { RESPONSE_FIELDS } from "@partner-connect/survey-data";

/** How an export writes records. */
export interface ExportFormat {
  readonly type: string;
  /** What stands before the first record. */
  readonly opening: string;
  /** The bytes of some records, given with a comma and a line break between them. */
  readonly write: (records: Buffer) => Buffer;
}

const NDJSON: ExportFormat = {
  type: "application/x-ndjson; charset=utf-8",
  opening: "",
  write: (records) => Buffer.from(`${records.toString("latin1").replaceAll(",\n", "\n")}\n`, "latin1"),
};

const FIELDS = RESPONSE_FIELDS.map((field) => field.name);

/** RFC 4180: a header line, CRLF, quotes where needed; null is empty. */
const CSV: ExportFormat = {
  type: "text/csv; charset=utf-8; header=present",
  opening: `${FIELDS.join(",")}\r\n`,
  write: (records) => Buffer.from((JSON.parse(`[${records}]`) as CsvRecord[]).map(csvLine).join("")),
};

type CsvRecord = Readonly<Record<string, unknown>>;

function csvLine(record: CsvRecord): string {
  return `${FIELDS.map((name) => csvValue(record[name])).join(",")}\r\n`;
}

function csvValue(value: unknown): string {
  const text = value === null || value === undefined ? "" : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** The export that `Accept` asks for by name, and prefers to JSON; null for a page of JSON, as everybody else gets. */
export function chooseExport(accept: string | undefined): ExportFormat | null {
  if (accept === undefined) return null;
  const json = quality(accept, "application/json") ?? 0;
  const ndjson = quality(accept, "application/x-ndjson") ?? 0;
  const csv = quality(accept, "text/csv") ?? 0;
  if (Math.max(ndjson, csv) <= json) return null;
  return ndjson >= csv ? NDJSON : CSV;
}
