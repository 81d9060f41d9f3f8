import Negotiator from "negotiator";
import { CSV_HEADER, csvPieces } from "./export-csv.ts";

/** How an export writes records. */
export interface ExportFormat {
  readonly type: string;
  /** What stands before the first record. */
  readonly opening: string;
  /** The bytes of some records, which come with a comma and a line break between them; in one or more pieces. */
  readonly write: (records: Buffer) => Iterable<Buffer>;
}

const NDJSON: ExportFormat = {
  type: "application/x-ndjson; charset=utf-8",
  opening: "",
  write: (records) => [Buffer.from(`${records.toString("latin1").replaceAll(",\n", "\n")}\n`, "latin1")],
};

const CSV: ExportFormat = {
  type: "text/csv; charset=utf-8; header=present",
  opening: CSV_HEADER,
  write: csvPieces,
};

const PAGE_TYPE = "application/json; charset=utf-8";

/** The export that `Accept` asks for by name, and prefers to JSON; null for a page of JSON, as everybody else gets. */
export function chooseExport(accept: string | undefined): ExportFormat | null {
  const header = accept?.toLowerCase() ?? "";
  const named = [NDJSON, CSV].filter(({ type }) => header.includes(type.split(";", 1)[0] as string));
  if (named.length === 0) return null;
  const offered = [PAGE_TYPE, ...named.map(({ type }) => type)];
  const best = new Negotiator({ headers: { accept: header } }).mediaType(offered);
  return named.find(({ type }) => type === best) ?? null;
}
