import { RESPONSE_FIELDS } from "@partner-connect/survey-data";
import { type CastingContext, type Options, stringify } from "csv-stringify/sync";

const COLUMNS = RESPONSE_FIELDS.map(({ name }) => name);
const AMOUNTS = new Set(RESPONSE_FIELDS.filter(({ kind }) => kind === "decimal").map(({ name }) => name));

/** How a cell begins that a spreadsheet may run as a formula. OWASP, CSV Injection. */
const FORMULA_START = /^[=+\-@\t\r]/;
const AMOUNT = /^-\d+(?:\.\d+)?$/;

/** RFC 4180: CRLF, quotes where needed; null is empty. */
const OPTIONS: Options = {
  columns: COLUMNS,
  record_delimiter: "windows",
  quote_record_delimiter: true,
  cast: { string: withoutFormula, boolean: String },
};

/**
 * An apostrophe before what a spreadsheet would run, inside quotes; not before amounts. `escape_formulas` of the library leaves out the
 * quotes.
 */
function withoutFormula(text: string, { column }: CastingContext) {
  if (!FORMULA_START.test(text) || (AMOUNTS.has(String(column)) && AMOUNT.test(text))) return text;
  return { value: `'${text}`, quoted: true };
}

export const CSV_HEADER = `${COLUMNS.join(",")}\r\n`;

/** Records of a piece: some milliseconds' work, in which no other request is answered. */
const PIECE_RECORDS = 100;

/** The lines of some records, which come as JSON with commas between them. */
export function* csvPieces(records: Buffer): Generator<Buffer> {
  const all = JSON.parse(`[${records}]`) as object[];
  for (let start = 0; start < all.length; start += PIECE_RECORDS) {
    yield Buffer.from(stringify(all.slice(start, start + PIECE_RECORDS), OPTIONS));
  }
}
