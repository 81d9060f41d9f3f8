import { parseTimestamp } from "@partner-connect/contract";

export type FieldKind =
  | "text"
  /** An id of the shop's own systems; a number is stored as its digits. */
  | "reference"
  /** A JSON number without a fraction, exact in a double. */
  | "integer"
  /** Money: a string such as "12.50", never a number. */
  | "decimal"
  | "boolean"
  /** A question's text, or whether there is one. */
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
}

/** A refused value; `reason` continues a sentence that begins with the field's name, as `shown`. */
export class FieldError extends Error {
  readonly field: string;

  constructor(field: string, reason: string, shown = field) {
    super(`${shown} ${reason}`);
    this.field = field;
  }
}

/** A field that records don't have. The message has its name as JSON, so that a terminal gets no control characters. */
export function unknownField(path: string, name: string): FieldError {
  const start = name.slice(0, 64);
  return new FieldError(path + start, "is not a field of this record", path + JSON.stringify(start));
}

/** Allowed clock skew of a source ahead of us, in milliseconds. */
const CLOCK_TOLERANCE = 1_000;

const DECIMAL = /^-?(?:0|[1-9]\d{0,17})(?:\.\d{1,8})?$/;

/** Accepts text that Postgres and every JSON parser can store: well-formed Unicode without NUL. @throws {FieldError} */
export function requireText(value: unknown, name: string): string {
  if (typeof value !== "string") throw new FieldError(name, "must be a string");
  if (!value.isWellFormed()) throw new FieldError(name, "has a lone surrogate, which is not a character");
  if (value.includes("\0")) throw new FieldError(name, "has a NUL character");
  return value;
}

/** Returns milliseconds. @throws {FieldError} */
export function requireTimestamp(value: unknown, name: string): number {
  const instant = typeof value === "string" ? parseTimestamp(value) : undefined;
  if (instant !== undefined) return instant;
  throw new FieldError(name, 'must be an RFC 3339 time such as "2026-11-21T01:02:03.123Z"');
}

/** Returns milliseconds, not later than `now`. @throws {FieldError} */
export function requirePast(value: unknown, name: string, now: number): number {
  const instant = requireTimestamp(value, name);
  if (instant > now + CLOCK_TOLERANCE) throw new FieldError(name, "is in the future");
  return instant;
}

/** @throws {FieldError} unless it is an integer that a double holds exactly */
export function requireInteger(value: unknown, name: string): number {
  if (!Number.isSafeInteger(value)) throw new FieldError(name, "must be an integer");
  return value as number;
}

/** @throws {FieldError} unless it is a decimal number, as a string */
export function requireDecimal(value: unknown, name: string): string {
  if (typeof value === "string" && DECIMAL.test(value)) return value;
  throw new FieldError(name, 'must be a decimal number as a string, such as "12.50"');
}
