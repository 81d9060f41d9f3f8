import { readFileSync } from "node:fs";
import type { DescribedDocument, DescribedSchema } from "./document/described-document.ts";
import { DOCUMENT_FILE } from "./served-document.ts";

export const RECORD_TYPES_FILE = new URL("../../partner-sdk/src/records.ts", import.meta.url);

/** The document's components that the SDK has types for, by its own names. */
const NAMES = {
  Response: "ResponseRecord",
  Question: "QuestionRecord",
  DeletedResponse: "DeletedResponse",
  NewSource: "NewSource",
  Source: "SourceRecord",
  Connection: "ConnectionRecord",
} as const;

/** Objects inside of records that have names of their own. */
const INNER: Readonly<Record<string, string>> = { "Question.responses": "QuestionOption" };

const HEADER = `// Made by \`pnpm openapi\` from packages/public-api/openapi.json: change the schemas there, not this file.

/** The money of an order: a decimal number as text, such as \`"39.67"\`. */
export type Decimal = string;

/** A time in UTC with milliseconds, such as \`2026-11-21T01:02:03.123Z\`. */
export type Timestamp = string;
`;

/**
 * The types of the SDK's records, made from `openapi.json`. Answers are open: more fields, and more values of what is not a closed list, may come.
 *
 * @throws Error if the document lacks a component that the SDK has a type for
 */
export function recordTypes(): string {
  const { schemas } = (JSON.parse(readFileSync(DOCUMENT_FILE, "utf8")) as DescribedDocument).components;
  const sourceType = `export type SourceType = ${unionOf(schemas["NewSource"]?.properties?.["type"]?.enum ?? [])};\n`;
  const records = Object.entries(NAMES).flatMap(([component, name]) => {
    const schema = schemas[component];
    if (!schema) throw new Error(`the document has no ${component}`);
    return interfacesOf(component, name, schema);
  });
  return [HEADER, sourceType, ...records].join("\n");
}

/** The interface of a record, after those of the objects inside of it. */
function interfacesOf(component: string, name: string, schema: DescribedSchema): string[] {
  const inner = Object.entries(schema.properties ?? {}).flatMap(([field, { items, description }]) => {
    const innerName = INNER[`${component}.${field}`];
    return items && innerName ? interfacesOf("", innerName, { ...items, description: `One of: ${description}` }) : [];
  });
  const fields = Object.entries(schema.properties ?? {}).map(([field, property]) => {
    const mark = schema.required?.includes(field) ? "" : "?";
    return `${comment(property, "  ")}  readonly ${field}${mark}: ${typeOf(property, `${component}.${field}`)};\n`;
  });
  return [...inner, `${comment(schema, "")}export interface ${name} {\n${fields.join("")}}\n`];
}

function typeOf(schema: DescribedSchema, path: string): string {
  const types = [schema.type ?? []].flat();
  const plain = types.filter((type) => type !== "null").map((type) => plainType(type, schema, path));
  if (schema.enum) plain.push(path === "NewSource.type" ? "SourceType" : unionOf(schema.enum));
  return [...plain, ...(types.includes("null") ? ["null"] : [])].join(" | ");
}

function plainType(type: string, schema: DescribedSchema, path: string): string {
  if (type === "integer") return "number";
  if (type === "array") return `readonly ${INNER[path] ?? typeOf(schema.items ?? {}, `${path}[]`)}[]`;
  if (type === "object") {
    const fields = Object.entries(schema.properties ?? {});
    return `{ ${fields.map(([name, field]) => `readonly ${name}: ${typeOf(field, `${path}.${name}`)}`).join("; ")} }`;
  }
  if (type !== "string") return type;
  if (schema.format === "date-time") return "Timestamp";
  if (schema.pattern?.startsWith("^-?")) return "Decimal";
  return schema["x-extensible-enum"] ? openUnion(schema["x-extensible-enum"], path) : "string";
}

const unionOf = (values: readonly string[]): string => values.map((value) => JSON.stringify(value)).join(" | ");

/** Editors know the values, and the compiler takes others that come later. */
function openUnion(values: readonly string[], path: string): string {
  return `${path === "Source.type" ? "SourceType" : unionOf(values)} | (string & {})`;
}

function comment({ description = "" }: DescribedSchema, indent: string): string {
  return `${indent}/** ${description} */\n`;
}
