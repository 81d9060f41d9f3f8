import { formatTimestamp, parseTimestamp } from "@partner-connect/contract";

export type FieldKind =
  | "text"
  /** An id of the shop's own systems; a number is stored as its digits. */
  | "reference"
  /** A JSON number without a fraction, exact in a double. */
  | "integer"
  /** Money: a string such as "12.50", never a number. */
  | "decimal"
  | "boolean"
  /** The text of a follow-up question, or only whether there is one. */
  | "boolean_or_text"
  /** RFC 3339 on input; milliseconds and `Z` on output. */
  | "timestamp"
  | "list";

/** A field of imported and served records. Nullable unless `required`. */
export interface Field {
  readonly name: string;
  readonly kind: FieldKind;
  readonly required?: true;
  readonly oneOf?: readonly string[];
  /** Refuses times in the future. */
  readonly past?: true;
  readonly fields?: readonly Field[];
  /** Minimum of an integer. */
  readonly min?: number;
  /** Maximum bytes of a text, a multiple of 1024. */
  readonly maxBytes?: number;
  /** Why the sender may not set the field; continues a sentence that begins with its name. */
  readonly refused?: string;
}

/** A refused value. `reason` continues a sentence that begins with `shown`, the field's name. */
export class FieldError extends Error {
  override readonly name = "FieldError";
  readonly field: string;

  constructor(field: string, reason: string, shown = field) {
    super(`${shown} ${reason}`);
    this.field = field;
  }
}

/** The error for an unknown field. The name is quoted as JSON, because it may have control codes. */
function unknownFieldError(path: string, name: string): FieldError {
  const start = name.slice(0, 64);
  const problem = "is not a field of this record";
  return new FieldError(path + start, problem, path + JSON.stringify(start));
}

/** Milliseconds by which a source's clock may be ahead of ours. */
const CLOCK_TOLERANCE = 1_000;

const DECIMAL = /^-?(?:0|[1-9]\d{0,17})(?:\.\d{1,8})?$/;

/**
 * Accepts text that Postgres and every JSON parser can store: well-formed Unicode without NUL.
 * @throws {FieldError}
 */
export function requireText(value: unknown, name: string): string {
  if (typeof value !== "string") throw new FieldError(name, "must be a string");
  if (!value.isWellFormed())
    throw new FieldError(name, "has a lone surrogate, which is not a character");
  if (value.includes("\0")) throw new FieldError(name, "has a NUL character");
  return value;
}

/** @throws {FieldError} unless the value is an integer that a double represents exactly */
function requireInteger(value: unknown, name: string, reason = "must be an integer"): number {
  if (!Number.isSafeInteger(value)) throw new FieldError(name, reason);
  return value as number;
}

/** A record to store. Its two times are null in `doc` until `storeRecords` sets them. */
export interface IncomingRecord {
  readonly id: string;
  readonly insertedAt: string | null;
  readonly updatedAt: string | null;
  /** A number that grows in the survey product with each change of the record. */
  readonly version: number | null;
  /** True if the question's text is missing, and only its id is given. */
  readonly isIncomplete: boolean;
  readonly doc: string;
}

/** @throws {FieldError} if the id is not allowed */
export type IdCheck = (id: unknown) => void;

export type RecordReader = (line: string, now: number, requireId?: IdCheck) => IncomingRecord;

export const INSERTED_AT: Field = { name: "inserted_at", kind: "timestamp", past: true };
export const UPDATED_AT: Field = { name: "updated_at", kind: "timestamp", past: true };

/** The fields as the survey product sends them: `id` is required, and `updated_at` is refused. */
export const fromProduct = (fields: readonly Field[]): readonly Field[] =>
  fields.map((field) => {
    if (field === UPDATED_AT) return { ...field, refused: STAMPED };
    return field.name === "id" ? { ...field, required: true } : field;
  });

const STAMPED =
  "is the time at which Partner Connect stores a change, because partners sort by it: leave it out";

/** The placeholder of the times in an incoming `doc`. Texts can't contain it: quotes are escaped. */
export const NO_TIMES = ',"inserted_at":null,"updated_at":null';

/** The stored value of each field by name, in the fields' order. */
export type Values = Record<string, unknown>;

/**
 * Returns a parser of import lines. `complete` sets a missing id, checks rules between fields, and
 * returns true if the record is incomplete. @throws {FieldError} or {SyntaxError}
 */
export function recordReader(
  fields: readonly Field[],
  complete: (values: Values) => boolean = () => false,
): RecordReader {
  const readFields = fieldsReader(fields);
  return (line, now, requireId) => {
    const record: unknown = JSON.parse(line);
    if (!isObject(record)) throw new SyntaxError("a record is a JSON object");
    const { version = null, ...values } = readFields(record, now);
    requireId?.(values["id"]);
    const isIncomplete = complete(values);
    const insertedAt = (values["inserted_at"] ?? null) as string | null;
    const updatedAt = (values["updated_at"] ?? null) as string | null;
    if (insertedAt !== null && updatedAt !== null && updatedAt < insertedAt) {
      throw new FieldError("updated_at", "is before inserted_at");
    }
    const doc = JSON.stringify({ ...values, inserted_at: null, updated_at: null });
    return {
      id: String(values["id"]),
      insertedAt,
      updatedAt,
      version: version as number | null,
      isIncomplete,
      doc,
    };
  };
}

const isObject = (value: unknown): value is Readonly<Values> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

type FieldsReader = (record: Readonly<Values>, now: number, path?: string) => Values;

/**
 * Returns a parser of `fields`, null where absent. It throws {@link FieldError} for a refused value
 * or an unknown name.
 */
function fieldsReader(fields: readonly Field[]): FieldsReader {
  const known = new Map(
    fields.map((field) => [field.name, { field, items: fieldsReader(field.fields ?? []) }]),
  );
  const absent: Values = Object.fromEntries(
    fields.map(({ name, kind }) => [name, kind === "list" ? [] : null]),
  );
  const required = fields.filter((field) => field.required);
  return (record, now, path = "") => {
    const values = { ...absent };
    for (const name of Object.keys(record)) {
      const found = known.get(name);
      if (!found) throw unknownFieldError(path, name);
      if (found.field.refused) throw new FieldError(name, found.field.refused);
      const value = record[name];
      if (value !== null)
        values[name] = parseField(value, found.field, found.items, path + name, now);
    }
    for (const { name } of required)
      if (values[name] === null) throw new FieldError(path + name, "is required");
    return values;
  };
}

function parseField(
  value: unknown,
  field: Field,
  items: FieldsReader,
  name: string,
  now: number,
): unknown {
  switch (field.kind) {
    case "text":
      return readText(value, field, name);
    case "integer":
      if (requireInteger(value, name) >= (field.min ?? -Infinity)) return value;
      throw new FieldError(name, `must be ${field.min} or more`);
    case "timestamp": {
      const instant = typeof value === "string" ? parseTimestamp(value) : undefined;
      if (instant === undefined)
        throw new FieldError(name, 'must be an RFC 3339 time such as "2026-11-21T01:02:03.123Z"');
      if (field.past && instant > now + CLOCK_TOLERANCE)
        throw new FieldError(name, "is in the future");
      return formatTimestamp(instant);
    }
    case "decimal":
      if (typeof value === "string" && DECIMAL.test(value)) return value;
      throw new FieldError(name, 'must be a decimal number as a string, such as "12.50"');
    case "reference":
      if (typeof value !== "number") return readText(value, field, name);
      return String(requireInteger(value, name, "is not an exact integer: send it as a string"));
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
  if (field.maxBytes && Buffer.byteLength(text) > field.maxBytes) {
    throw new FieldError(name, `is longer than ${field.maxBytes / 1024} KB`);
  }
  if (!field.oneOf || field.oneOf.includes(text)) return text;
  throw new FieldError(name, `must be one of ${field.oneOf.join(", ")}`);
}
