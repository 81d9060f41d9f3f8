import { CSV_HEADER, csvPieces } from "./csv.ts";

type Records = readonly Readonly<Record<string, unknown>>[];

/** What an export of these records is. */
export function ndjsonText(records: Records): string {
  return records.map((record) => `${JSON.stringify(record)}\n`).join("");
}

export function csvText(records: Records): string {
  const joined = Buffer.from(records.map((record) => JSON.stringify(record)).join(","));
  return `${CSV_HEADER}${Buffer.concat([...csvPieces(joined)])}`;
}
