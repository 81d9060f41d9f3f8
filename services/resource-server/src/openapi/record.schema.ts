import type { Field, FieldKind } from "@partner-connect/survey-data";
import Type, { type TObject, type TSchema, type TUnsafe } from "typebox";

/** The form of a time as the API shows it. */
export const TIMESTAMP = { pattern: "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$" };
const DECIMAL = { pattern: "^-?\\d+(\\.\\d+)?$" };

/** A time as the API shows it: UTC, in milliseconds. */
export const Timestamp = Type.String(TIMESTAMP);

const KINDS: Readonly<Record<Exclude<FieldKind, "list">, TSchema>> = {
  text: orNull<string>("string"),
  reference: orNull<string>("string"),
  integer: orNull<number>("integer"),
  decimal: orNull<string>("string", DECIMAL),
  boolean: orNull<boolean>("boolean"),
  boolean_or_text: orNull<boolean | string>(["boolean", "string"]),
  timestamp: orNull<string>("string", TIMESTAMP),
};

/** A value of these types, or null. One schema instead of a union: generated clients have a plain nullable type then. */
export function orNull<T>(types: string | readonly string[], options: object = {}): TUnsafe<T | null> {
  return Type.Unsafe<T | null>({ type: [...[types].flat(), "null"], ...options });
}

/**
 * A record as the API shows it. Every field is there; it may be null unless `neverNull` has its schema.
 * @param $id its name among the components of the document
 */
export function recordSchema(
  $id: string,
  fields: readonly Field[],
  neverNull: Readonly<Record<string, TSchema>>,
): TObject {
  return Type.Object(propertiesOf(fields, neverNull), { $id, additionalProperties: false });
}

function propertiesOf(
  fields: readonly Field[],
  neverNull: Readonly<Record<string, TSchema>> = {},
): Record<string, TSchema> {
  return Object.fromEntries(fields.map((field) => [field.name, neverNull[field.name] ?? fieldSchema(field)]));
}

function fieldSchema(field: Field): TSchema {
  if (field.kind === "list") {
    return orNull("array", { items: Type.Object(propertiesOf(field.fields ?? []), { additionalProperties: false }) });
  }
  return field.oneOf ? Type.Unsafe({ enum: [...field.oneOf, null] }) : KINDS[field.kind];
}
