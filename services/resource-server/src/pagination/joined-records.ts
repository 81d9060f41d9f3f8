import type { Edge } from "./prev-next-links.ts";

/**
 * An SQL literal: what the database puts between two records. A record is compact JSON, which holds no line break; the
 * tables have a constraint that says so.
 */
export const SEPARATOR_SQL = "E',\\n'";

const LINE_BREAK = 0x0a;
export const SEPARATOR_LENGTH = 2;

/** Where the last record of some joined ones begins. */
function lastStart(joined: Buffer): number {
  return joined.lastIndexOf(LINE_BREAK) + 1;
}

/** Some joined records without the last one. */
export function withoutLast(joined: Buffer): Buffer {
  return joined.subarray(0, Math.max(lastStart(joined) - SEPARATOR_LENGTH, 0));
}

/** The first and the last of some joined records. */
export function edgesOf(joined: Buffer): { readonly first: Edge; readonly last: Edge } {
  const firstBreak = joined.indexOf(LINE_BREAK);
  const firstEnd = firstBreak < 0 ? joined.length : firstBreak + 1 - SEPARATOR_LENGTH;
  return {
    first: readEdge(joined.toString("utf8", 0, firstEnd)),
    last: readEdge(joined.toString("utf8", lastStart(joined))),
  };
}

/** Puts the last of some joined records first, in place. */
export function reverse(joined: Buffer): void {
  joined.write(joined.toString("latin1").split(",\n").reverse().join(",\n"), "latin1");
}

/** A response or a question; or a deletion, which has one time. */
type EdgeRecord = { readonly id: string | number } & (
  | { readonly inserted_at: string; readonly updated_at: string }
  | { readonly deleted_at: string }
);

/** A response's first fields, where its id has no character that JSON escapes. */
const RESPONSE_START = /^\{"id":"([^"\\]+)","inserted_at":"([^"]+)","updated_at":"([^"]+)"/;

/** What matters of a record at the edge of its page. Its first fields are enough of nearly every one: parsing takes longer. */
function readEdge(record: string): Edge {
  const start = RESPONSE_START.exec(record);
  if (start) return { id: start[1] as string, insertedAt: start[2] as string, updatedAt: start[3] as string };
  const parsed = JSON.parse(record) as EdgeRecord;
  const id = String(parsed.id);
  if ("deleted_at" in parsed) return { id, insertedAt: parsed.deleted_at, updatedAt: parsed.deleted_at };
  return { id, insertedAt: parsed.inserted_at, updatedAt: parsed.updated_at };
}
