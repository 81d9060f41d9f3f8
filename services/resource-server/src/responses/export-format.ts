import { RESPONSE_FIELDS } from "@partner-connect/survey-data";
import { quality } from "../http/quality.ts";
import type { Edge } from "../pages/page-links.ts";
import { type RecordWriter, readEdge, TextWriter } from "../pages/record-writer.ts";

/** How an export writes records. */
export interface ExportFormat {
  readonly type: string;
  /** What stands before the first record. */
  readonly opening: string;
  /** A writer of some records. */
  readonly writer: () => ExportWriter;
}

export interface ExportWriter extends RecordWriter {
  /** The bytes of the records. */
  bytes(): Buffer;
}

const NDJSON: ExportFormat = {
  type: "application/x-ndjson; charset=utf-8",
  opening: "",
  writer: () => {
    const writer = new TextWriter(unpooled, "", "\n");
    return Object.assign(writer, { bytes: () => writer.finish("\n") });
  },
};

/** A stream has no moment at which its bytes are known to be read, so their memory is left to be collected. */
const unpooled = { take: (size = 1024 * 1024) => Buffer.allocUnsafeSlow(size), give: () => {} };

const FIELDS = RESPONSE_FIELDS.map((field) => field.name);

/** RFC 4180: a header line, CRLF, quotes where needed; null is empty. */
const CSV: ExportFormat = {
  type: "text/csv; charset=utf-8; header=present",
  opening: `${FIELDS.join(",")}\r\n`,
  writer: () => new CsvWriter(),
};

class CsvWriter implements ExportWriter {
  #text = "";
  #first = "";
  #last = "";

  add(record: Buffer): void {
    this.#last = record.toString();
    if (this.#first === "") this.#first = this.#last;
    const values = JSON.parse(this.#last) as Readonly<Record<string, unknown>>;
    this.#text += `${FIELDS.map((name) => csvValue(values[name])).join(",")}\r\n`;
  }

  edges(): { first: Edge; last: Edge } | null {
    return this.#first === "" ? null : { first: readEdge(this.#first), last: readEdge(this.#last) };
  }

  bytes(): Buffer {
    return Buffer.from(this.#text);
  }
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
