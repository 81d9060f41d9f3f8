import type { ResponseRecord } from "../../records.ts";

/** A response as the API sent it. */
export interface ResponseDocument {
  readonly id: string;
  /** Its JSON, all fields, without a line break. */
  readonly json: string;
}

/** Some responses in the order in which they changed. Nothing is parsed for a copy that keeps the JSON as it is. */
export interface SomeResponses {
  readonly last: ResponseRecord;
  readonly records: () => readonly ResponseRecord[];
  readonly documents: () => readonly ResponseDocument[];
}

export function responseLines(lines: string): SomeResponses {
  return {
    last: JSON.parse(lines.slice(lines.lastIndexOf("\n") + 1)),
    // Parsing them together is faster than one by one. No record has a line break in it.
    records: () => JSON.parse(`[${lines.replaceAll("\n", ",")}]`),
    documents: () => lines.split("\n").map((json) => ({ id: idOf(json), json })),
  };
}

export function pageResponses(records: readonly ResponseRecord[]): SomeResponses | null {
  const last = records.at(-1);
  if (!last) return null;
  const documents = () => records.map((record) => ({ id: record.id, json: JSON.stringify(record) }));
  return { last, records: () => records, documents };
}

/** The first field of nearly every record is an id that has nothing to unescape. */
const ID = /^\{"id":"([^"\\]+)"/;

function idOf(json: string): string {
  return ID.exec(json)?.[1] ?? (JSON.parse(json) as ResponseRecord).id;
}
