import type { DescribedParameter, DescribedSchema } from "@partner-connect/public-api/document";
import { pathOf } from "../navigation.ts";
import { OBJECTS_PAGE } from "./endpoints.ts";
import { componentName, type Resolve } from "./resolver.ts";

interface Field {
  readonly name: string;
  readonly schema: DescribedSchema;
  readonly description: string | undefined;
  readonly example: unknown;
  /** Stands below the name. */
  readonly note?: string;
}

/** The fields of an object as a table of Markdown; empty if it has none. */
export function propertiesTable(schema: DescribedSchema, resolve: Resolve): string {
  const fields = Object.entries(schema.properties ?? {}).map(([name, property]): Field => {
    const resolved = resolve(property);
    const description = property.description ?? (resolved.properties ? undefined : resolved.description);
    return { name, schema: property, description, example: resolved.examples?.[0] };
  });
  return table("Field", fields, resolve);
}

export function parametersTable(parameters: readonly DescribedParameter[], resolve: Resolve): string {
  const fields = parameters.map((parameter): Field => {
    const { in: place, required, deprecated } = parameter;
    const notes = [place !== "query" && place, required && "required", deprecated && "deprecated"];
    return { ...parameter, note: notes.filter(Boolean).join(", ") };
  });
  return table("Parameter", fields, resolve);
}

function table(heading: string, fields: readonly Field[], resolve: Resolve): string {
  if (fields.length === 0) return "";
  const rows = fields.map(({ name, schema, description, example, note }) => {
    const lines = [description, ...bounds(schema, resolve), example !== undefined && `Example: ${code(example)}`];
    return row([
      note ? `\`${name}\`<br>${note}` : `\`${name}\``,
      typeText(schema, resolve),
      filled(lines).join("<br>"),
    ]);
  });
  return [row([heading, "Type", "Meaning"]), row(["---", "---", "---"]), ...rows].join("\n");
}

const row = (cells: readonly string[]): string =>
  `| ${cells.map((cell) => cell.replaceAll("\n", " ").replaceAll("|", "\\|")).join(" | ")} |`;

/** A schema in a few words: `string or null`, `list of Response`. */
export function typeText(schema: DescribedSchema, resolve: Resolve): string {
  const name = componentName(schema);
  if (name !== null) return resolve(schema).properties ? objectLink(name) : typeText(resolve(schema), resolve);
  if (schema.oneOf) return schema.oneOf.map((choice) => typeText(choice, resolve)).join(" or ");
  if (schema.const !== undefined) return code(JSON.stringify(schema.const));
  if (schema.enum && schema.type === undefined) return "one of a list";
  const { items } = schema;
  const wordOf = (type: string) => (type === "array" && items ? `list of ${typeText(items, resolve)}` : type);
  return [schema.type ?? []].flat().map(wordOf).join(" or ");
}

export function objectLink(name: string): string {
  return `[${name}](${pathOf(OBJECTS_PAGE)}#${name.toLowerCase()})`;
}

/** A pattern of times, which says less to people than an example. */
const TIME = /^\^\\d\{4\}-/;

/** What a value must be beside its type, one line each. */
function bounds(schema: DescribedSchema, resolve: Resolve): (string | false | undefined)[] {
  const resolved = resolve(schema);
  const { enum: values, pattern, minimum, maximum, minLength = 0, maxLength, maxItems, default: fallback } = resolved;
  return [
    values && `One of ${values.map(code).join(", ")}`,
    fallback !== undefined && `Default: ${code(fallback)}`,
    minimum !== undefined && maximum !== undefined && `${minimum} to ${maximum}`,
    maxLength !== undefined && `${minLength} to ${maxLength} characters`,
    maxItems !== undefined && `At most ${maxItems}`,
    pattern !== undefined && (TIME.test(pattern) ? "A time: RFC 3339" : `Form: ${code(pattern)}`),
  ];
}

const code = (value: unknown): string => `\`${typeof value === "string" ? value : JSON.stringify(value)}\``;

/** Without what is not there. */
export const filled = (parts: readonly (string | false | null | undefined)[]): string[] =>
  parts.filter((part) => typeof part === "string" && part !== "") as string[];
