import {
  COUNTED,
  type Examples,
  field,
  jsonAnswer,
  listSchema,
  orNull,
  TIMESTAMP,
  text,
} from "@partner-connect/contract/openapi";
import type { DescribedFields, Field, FieldKind } from "@partner-connect/survey-data";
import Type, { type TObject, type TSchema } from "typebox";

const DECIMAL = { pattern: "^-?\\d+(\\.\\d+)?$" };

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

interface RecordParts {
  readonly fields: readonly Field[];
  readonly described: DescribedFields;
  /** Fields of the objects in a list. */
  readonly item?: DescribedFields;
  /** Schemas of the fields that are never null. */
  readonly neverNull?: Readonly<Record<string, TSchema>>;
}

/**
 * A record's schema: fields are required, and nullable unless in `neverNull`. @throws Error if a
 * field has no description
 */
export function recordSchema($id: string, description: string, parts: RecordParts): TObject {
  return Type.Object(propertiesOf(parts), { $id, description });
}

function propertiesOf({
  fields,
  described,
  item = {},
  neverNull = {},
}: RecordParts): Record<string, TSchema> {
  const properties = fields.map((field) => {
    const { name, kind, fields: inner = [] } = field;
    const texts = described[name];
    if (!texts) throw new Error(`the field ${name} is not described`);
    const list = () => Type.Array(Type.Object(propertiesOf({ fields: inner, described: item })));
    const schema = neverNull[name] ?? (kind === "list" ? list() : schemaOf(field, kind));
    return [name, { ...schema, description: texts[0], examples: [texts[1]] }];
  });
  return Object.fromEntries(properties);
}

function schemaOf({ required, oneOf }: Field, kind: Exclude<FieldKind, "list">): TSchema {
  if (required && kind === "text") return Type.String();
  // Not an enum, because generated clients would refuse values that we add later.
  return oneOf ? orNull("string", { "x-extensible-enum": oneOf }) : KINDS[kind];
}

export const timeParameter = (description: string, example: string) =>
  Type.Optional(
    field(
      text(description, example, { format: "date-time" }),
      "an RFC 3339 date-time, such as 2026-11-21T01:02:03.123Z",
    ),
  );

export const timeFilters = <Column extends string>(column: Column, example: string) => {
  const bound = (side: string) =>
    timeParameter(
      `Only records whose \`${column}\` is at or ${side} this time: RFC 3339, with \`Z\` or any offset.`,
      example,
    );
  const filters = { [`${column}_min`]: bound("after"), [`${column}_max`]: bound("before") };
  return filters as Record<`${Column}_${"min" | "max"}`, ReturnType<typeof timeParameter>>;
};

/** The response with a page of the list at `path`. `id` is used in the examples. */
export const pageAnswer = (record: TSchema, path: string, id: string, examples: Examples) =>
  jsonAnswer(
    listSchema(record, path, id),
    "The page.",
    [...COUNTED, "cache-control", "vary", "x-ignored-parameters"],
    examples,
  );
