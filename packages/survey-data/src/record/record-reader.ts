import { formatTimestamp } from "@partner-connect/contract";
import {
  type Field,
  FieldError,
  requireDecimal,
  requireInteger,
  requirePast,
  requireText,
  requireTimestamp,
  unknownField,
} from "./field.ts";

/** A record to store. Its two times are null in `doc`; Postgres sets them. */
export interface IncomingRecord {
  readonly id: string;
  readonly insertedAt: string | null;
  readonly updatedAt: string | null;
  readonly doc: string;
}

/** Refuses an id, which is null where it is missing. @throws {FieldError} */
export type RequireId = (id: unknown) => void;

export type RecordReader = (line: string, now: number, requireId?: RequireId) => IncomingRecord;

export const INSERTED_AT: Field = { name: "inserted_at", kind: "timestamp", past: true };
export const UPDATED_AT: Field = { name: "updated_at", kind: "timestamp", past: true };

/** The times in the `doc` of an incoming record. No text of a record contains such unescaped quotes. */
export const NO_TIMES = ',"inserted_at":null,"updated_at":null';

/** The stored value of each field by name, in the fields' order. */
export type Values = Record<string, unknown>;

/**
 * Returns a parser of import lines. `complete` sets a missing id, and checks rules between fields. @throws {FieldError} or {SyntaxError}
 */
export function recordReader(fields: readonly Field[], complete: (values: Values) => void = () => {}): RecordReader {
  const readFields = fieldsReader(fields);
  return (line, now, requireId) => {
    const record: unknown = JSON.parse(line);
    if (!isObject(record)) throw new SyntaxError("a record is a JSON object");
    const values = readFields(record, now);
    requireId?.(values["id"]);
    complete(values);
    const insertedAt = values["inserted_at"] as string | null;
    const updatedAt = values["updated_at"] as string | null;
    if (insertedAt !== null && updatedAt !== null && updatedAt < insertedAt) {
      throw new FieldError("updated_at", "is before inserted_at");
    }
    const doc = JSON.stringify({ ...values, inserted_at: null, updated_at: null });
    return { id: String(values["id"]), insertedAt, updatedAt, doc };
  };
}

const isObject = (value: unknown): value is Readonly<Values> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

type FieldsReader = (record: Readonly<Values>, now: number, path?: string) => Values;

/** Returns a parser of `fields`, null where absent. It throws {@link FieldError} for a refused value or an unknown name. */
function fieldsReader(fields: readonly Field[]): FieldsReader {
  const known = new Map(fields.map((field) => [field.name, { field, items: fieldsReader(field.fields ?? []) }]));
  const absent: Values = Object.fromEntries(fields.map(({ name, kind }) => [name, kind === "list" ? [] : null]));
  const required = fields.filter((field) => field.required);
  return (record, now, path = "") => {
    const values = { ...absent };
    for (const name of Object.keys(record)) {
      const found = known.get(name);
      if (!found) throw unknownField(path, name);
      const value = record[name];
      if (value !== null) values[name] = read(value, found.field, found.items, path + name, now);
    }
    for (const { name } of required) if (values[name] === null) throw new FieldError(path + name, "is required");
    return values;
  };
}

function read(value: unknown, field: Field, items: FieldsReader, name: string, now: number): unknown {
  switch (field.kind) {
    case "text":
      return readText(value, field, name);
    case "integer":
      return requireInteger(value, name);
    case "timestamp":
      return formatTimestamp(field.past ? requirePast(value, name, now) : requireTimestamp(value, name));
    case "decimal":
      return requireDecimal(value, name);
    case "reference":
      return typeof value === "number" ? String(requireInteger(value, name)) : readText(value, field, name);
    case "boolean":
      if (typeof value === "boolean") return value;
      throw new FieldError(name, "must be true or false");
    case "boolean_or_text":
      return typeof value === "boolean" ? value : readText(value, field, name);
    case "list":
      if (!Array.isArray(value)) throw new FieldError(name, "must be a list");
      return value.map((item: unknown, index) => {
        if (!isObject(item)) throw new FieldError(`${name}[${index}]`, "must be an object");
        return items(item, now, `${name}[${index}].`);
      });
  }
}

function readText(value: unknown, field: Field, name: string): string {
  const text = requireText(value, name);
  if (!field.oneOf || field.oneOf.includes(text)) return text;
  throw new FieldError(name, `must be one of ${field.oneOf.join(", ")}`);
}
