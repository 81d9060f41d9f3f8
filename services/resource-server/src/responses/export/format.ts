import Negotiator from "negotiator";
import { CSV_HEADER, csvPieces } from "./csv.ts";
import { PARQUET_BYTES, ParquetFile } from "./parquet.ts";

export interface ExportFormat {
  readonly type: string;
  /** Its bytes are compressed already. */
  readonly isCompressed?: true;
  /** Records after which the export ends; default: it has all. */
  readonly mostRecords?: number;
  /** Memory beside that of the two pages. */
  readonly extraBytes?: number;
  readonly begin: () => ExportWriter;
}

/** What writes one export. */
export interface ExportWriter {
  readonly opening?: string;
  /** The bytes of some records, which come with a comma and a line break between them; in one or more pieces. Their memory is used again. */
  readonly write: (records: Buffer) => Iterable<Buffer>;
  /** The last bytes. `next`: the URL of what follows, where the export ended before. */
  readonly end?: (next: string | null) => Buffer;
}

const LINE_BREAK = Buffer.from("\n");

const NDJSON: ExportFormat = {
  type: "application/x-ndjson; charset=utf-8",
  begin: () => ({ write: (records) => [withoutCommas(records), LINE_BREAK] }),
};

const CSV: ExportFormat = {
  type: "text/csv; charset=utf-8; header=present",
  begin: () => ({ opening: CSV_HEADER, write: csvPieces }),
};

const PARQUET: ExportFormat = {
  type: "application/vnd.apache.parquet",
  isCompressed: true,
  mostRecords: 100_000,
  extraBytes: PARQUET_BYTES,
  begin: () => new ParquetFile(),
};

const PAGE_TYPE = "application/json; charset=utf-8";

/** The export that `Accept` asks for by name, and prefers to JSON; null for a page of JSON, as everybody else gets. */
export function chooseExport(accept: string | undefined): ExportFormat | null {
  const header = accept?.toLowerCase() ?? "";
  const named = [NDJSON, CSV, PARQUET].filter(({ type }) => header.includes(type.split(";", 1)[0] as string));
  if (named.length === 0) return null;
  const offered = [PAGE_TYPE, ...named.map(({ type }) => type)];
  const best = new Negotiator({ headers: { accept: header } }).mediaType(offered);
  return named.find(({ type }) => type === best) ?? null;
}

/** In place, as a copy of a page costs more than reading it: the records move together, each by the commas before it. */
function withoutCommas(records: Buffer): Buffer {
  let end = 0;
  for (let start = 0; start < records.length; ) {
    const lineBreak = records.indexOf("\n", start, "latin1");
    const next = lineBreak < 0 ? records.length : lineBreak + 1;
    records.copyWithin(end, start, next);
    end += next - start;
    if (lineBreak >= 0) {
      // The break takes the comma's place.
      end -= 1;
      records[end - 1] = 0x0a;
    }
    start = next;
  }
  return records.subarray(0, end);
}
