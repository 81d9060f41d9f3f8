import Schema from "typebox/schema";
import { type ApiDocument, type DescribedOperation, type Json, operationOf } from "./document.ts";

/** A response as it came over the wire. */
export interface ReceivedAnswer {
  readonly status: number;
  header(name: string): string | null;
  readonly body: string;
}

/** A response that `fetch` got. */
export async function received(answer: Response): Promise<ReceivedAnswer> {
  return { status: answer.status, header: (name) => answer.headers.get(name), body: await answer.text() };
}

/**
 * Differences between a response of an operation and the document; empty if the response is as described. A field that the document
 * doesn't name is a difference.
 */
export type Differences = (operationId: string, answer: ReceivedAnswer) => string[];

export function differencesFrom(document: ApiDocument): Differences {
  const operations = new Map<string, DescribedOperation>();
  const bodies = new Map<string, SchemaProblems>();
  return (operationId, { status, header, body }) => {
    const operation = cached(operations, operationId, () => operationOf(document, operationId));
    const described = operation.responses[String(status)];
    if (!described) return [`${operationId}: status ${status} is not described`];
    // OpenAPI 3.1 §4.8.21: `required` is false by default. Ours are required unless the document marks them otherwise.
    const problems = Object.entries(described.headers ?? {})
      .filter(([name, { required }]) => required !== false && header(name) === null)
      .map(([name]) => `header ${name} is missing`);
    const type = (header("content-type") ?? "").split(";", 1)[0] ?? "";
    const media = described.content?.[type];
    if (!media && (described.content || body !== "")) problems.push(`a body of type '${type}' is not described`);
    if (media && type.endsWith("json") && !type.endsWith("ndjson")) {
      const check = cached(bodies, `${operationId} ${status} ${type}`, () => schemaProblems(media.schema));
      problems.push(...check(JSON.parse(body)));
    }
    return problems.map((problem) => `${operationId} ${status}: ${problem}`);
  };
}

function cached<Value>(known: Map<string, Value>, key: string, make: () => Value): Value {
  const value = known.get(key) ?? make();
  known.set(key, value);
  return value;
}

/** The reasons why a value does not match a schema. */
type SchemaProblems = (value: unknown) => string[];

function schemaProblems(schema: Json): SchemaProblems {
  const validator = Schema.Compile(closed(schema) as object);
  return (value) => {
    if (validator.Check(value)) return [];
    const [, errors] = validator.Errors(value);
    return errors.map(({ instancePath, message }) => `${instancePath || "the body"} ${message}`);
  };
}

/** Responses may get new fields; tests must find undescribed ones. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== "object" || schema === null) return schema;
  const entries = Object.entries(schema).map(([key, value]) => [key, closed(value)]);
  if ("x-extensible-enum" in schema) entries.push(["enum", [...(schema["x-extensible-enum"] as string[]), null]]);
  return Object.fromEntries("properties" in schema ? [...entries, ["additionalProperties", false]] : entries);
}
