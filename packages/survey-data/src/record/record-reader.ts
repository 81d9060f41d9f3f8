import { type Field, FieldError, quoted, requirePast } from "./field.ts";
import { writeFields } from "./write-fields.ts";

/** A record to be stored as `head`, the two times, `tail`: Postgres puts them together, as it makes times that are missing. */
export interface IncomingRecord {
  readonly id: string;
  readonly insertedAt: number | undefined;
  readonly updatedAt: number | undefined;
  readonly head: string;
  readonly tail: string;
}

export interface RecordShape {
  /** In the order in which they are served; inserted_at and updated_at are neighbours. */
  readonly fields: readonly Field[];
  /** The id of `record`, checked, or a new one. */
  readonly id: (record: Readonly<Record<string, unknown>>) => string;
  /** Checks what depends on several fields; throws {@link FieldError}. */
  readonly check?: (record: Readonly<Record<string, unknown>>) => void;
}

export const INSERTED_AT: Field = { name: "inserted_at", kind: "timestamp", stamp: true };
export const UPDATED_AT: Field = { name: "updated_at", kind: "timestamp", stamp: true };

/** Reads one import line into `shape`. `now` in milliseconds. @throws {FieldError} or {SyntaxError} */
export function recordReader(shape: RecordShape): (line: string, now: number) => IncomingRecord {
  const { fields } = shape;
  const stamps = fields.indexOf(INSERTED_AT);
  const keys = fields.map((field) => `"${field.name}":`);
  return (line, now) => {
    const record = parseObject(line);
    const id = shape.id(record);
    const written = writeFields(record, fields, now);
    shape.check?.(record);
    written[0] = typeof record["id"] === "number" ? id : JSON.stringify(id);
    const insertedAt = instant(record, INSERTED_AT, now);
    const updatedAt = instant(record, UPDATED_AT, now);
    if (insertedAt !== undefined && updatedAt !== undefined && updatedAt < insertedAt) {
      throw new FieldError("updated_at", "is before inserted_at");
    }
    const members = keys.map((key, index) => key + written[index]);
    const head = `{${members.slice(0, stamps).join(",")}`;
    const tail = `,${members.slice(stamps + 2).join(",")}}`;
    return { id, insertedAt, updatedAt, head, tail };
  };
}

function parseObject(line: string): Readonly<Record<string, unknown>> {
  const value: unknown = JSON.parse(line);
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new SyntaxError("a record is a JSON object");
  }
  const doubled = doubledKey(line, value);
  if (doubled !== undefined) throw new FieldError(quoted(doubled), "is there twice");
  return value as Record<string, unknown>;
}

function instant(record: Readonly<Record<string, unknown>>, field: Field, now: number): number | undefined {
  const value = record[field.name];
  return value === undefined || value === null ? undefined : requirePast(value, field.name, now);
}

/**
 * A name that an object in `text` has twice; undefined: none. JSON.parse made `value` of it, and kept the last of the two. If `":`
 * stands there no more often than there are members, no name is there twice. Other lines, which are few, are read name by name.
 */
export function doubledKey(text: string, value: unknown): string | undefined {
  return mostNames(text) === countMembers(value) ? undefined : firstDoubled(text);
}

const QUOTE = 0x22;
const SPACE = 0x20;

/** How many names there are, or more, as texts may have the same characters. */
function mostNames(text: string): number {
  let names = 0;
  for (let colon = text.indexOf(":"); colon >= 0; colon = text.indexOf(":", colon + 1)) {
    const before = text.charCodeAt(colon - 1);
    if (before === QUOTE) names++;
    else if (before <= SPACE) return Number.POSITIVE_INFINITY;
  }
  return names;
}

function countMembers(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  const inner = Object.values(value);
  let members = Array.isArray(value) ? 0 : inner.length;
  for (const each of inner) members += countMembers(each);
  return members;
}

function firstDoubled(text: string): string | undefined {
  const open: Set<unknown>[] = [];
  for (const [token, string, colon] of text.matchAll(/("[^"\\]*(?:\\.[^"\\]*)*")\s*(:?)|[{}]/g)) {
    if (token === "{") open.push(new Set());
    else if (token === "}") open.pop();
    else if (string !== undefined && colon === ":") {
      const key: string = JSON.parse(string);
      if (open.at(-1)?.has(key)) return key;
      open.at(-1)?.add(key);
    }
  }
  return undefined;
}
