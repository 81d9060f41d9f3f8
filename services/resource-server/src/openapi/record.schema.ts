import type { Field, FieldKind } from "@partner-connect/survey-data";
import Type, { type TObject, type TSchema, type TUnsafe } from "typebox";

export interface DescribedField {
  readonly description: string;
  readonly example: unknown;
}

export type DescribedFields = Readonly<Record<string, DescribedField>>;

/** The form of a time as the API shows it. */
export const TIMESTAMP = { format: "date-time", pattern: "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$" };
const DECIMAL = { pattern: "^-?\\d+(\\.\\d+)?$" };

export const Timestamp = Type.String(TIMESTAMP);

/** The same, with what it says. */
export const timestampOf = (description: string, example: string) =>
  Type.String({ ...TIMESTAMP, description, examples: [example] });

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

export interface RecordSchemaParts {
  readonly $id: string;
  readonly description: string;
  readonly fields: readonly Field[];
  readonly described: DescribedFields;
  readonly item?: DescribedFields;
  /** The schemas of the fields that are never null. */
  readonly neverNull: Readonly<Record<string, TSchema>>;
}

/** A record as the API shows it. Every field is there; it may be null unless `neverNull` has its schema. Throws where a field is not described. */
export function recordSchema({
  $id,
  description,
  fields,
  described,
  item = {},
  neverNull,
}: RecordSchemaParts): TObject {
  return Type.Object(propertiesOf(fields, described, { neverNull, item }), { $id, description });
}

function propertiesOf(
  fields: readonly Field[],
  described: DescribedFields,
  { neverNull = {}, item = {} }: Partial<Pick<RecordSchemaParts, "neverNull" | "item">> = {},
): Record<string, TSchema> {
  const listOf = (field: Field) => Type.Array(Type.Object(propertiesOf(field.fields ?? [], item)));
  return Object.fromEntries(
    fields.map((field) => {
      const schema = neverNull[field.name] ?? (field.kind === "list" ? listOf(field) : schemaOf(field, field.kind));
      return [field.name, { ...schema, ...annotations(described[field.name], field.name) }];
    }),
  );
}

function annotations(described: DescribedField | undefined, name: string): object {
  if (!described) throw new Error(`the field ${name} is not described`);
  return { description: described.description, examples: [described.example] };
}

function schemaOf({ required, oneOf }: Field, kind: Exclude<FieldKind, "list">): TSchema {
  if (required && kind === "text") return Type.String();
  // Not an enum: clients that are made from the document would refuse a value that comes later.
  return oneOf ? orNull("string", { "x-extensible-enum": oneOf }) : KINDS[kind];
}
