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

/** How a cell begins that a spreadsheet may run as a formula. OWASP, CSV Injection. */
const FORMULA_START = /^[=+\-@\t\r]/;
const AMOUNT = /^-\d+(?:\.\d+)?$/;

/** RFC 4180: a header line, CRLF, quotes where needed; null is empty; `'` before a formula. */
const CSV: ExportFormat = {
  type: "text/csv; charset=utf-8; header=present",
  opening: `${FIELDS.join(",")}\r\n`,
  write: (records) => Buffer.from((JSON.parse(`[${records}]`) as CsvRecord[]).map(csvLine).join("")),
};

type CsvRecord = Readonly<Record<string, unknown>>;

function csvLine(record: CsvRecord): string {
  return `${RESPONSE_FIELDS.map(({ name, kind }) => csvValue(record[name], kind === "decimal")).join(",")}\r\n`;
}

/** Numbers, and amounts, which are decimal text, stay what they are below zero too: nothing runs in them. */
function csvValue(value: unknown, isAmount: boolean): string {
  const text = value === null || value === undefined ? "" : String(value);
  if (typeof value === "string" && FORMULA_START.test(text) && !(isAmount && AMOUNT.test(text))) {
    return `"'${text.replaceAll('"', '""')}"`;
  }
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
