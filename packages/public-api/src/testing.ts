import Schema from "typebox/schema";

type Json = Readonly<Record<string, unknown>>;

/** What tests look at in the document. */
export interface ApiDocument {
  readonly openapi: string;
  readonly servers: readonly { readonly url: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, DescribedOperation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, { readonly properties?: Readonly<Record<string, Json>> }>>;
    readonly responses: Readonly<Record<string, DescribedAnswer>>;
  };
}

export interface DescribedOperation {
  readonly operationId: string;
  readonly security: readonly Json[];
  readonly parameters?: readonly DescribedParameter[];
  readonly requestBody?: { readonly content: DescribedContent };
  readonly responses: Readonly<Record<string, DescribedAnswer>>;
}

export interface DescribedParameter {
  readonly name: string;
  readonly in: "query" | "header";
  readonly description?: string;
  readonly required?: boolean;
  readonly deprecated?: boolean;
  readonly example?: unknown;
  readonly schema: Json;
}

export interface DescribedAnswer {
  readonly headers?: Readonly<Record<string, Json>>;
  readonly content?: DescribedContent;
}

export type DescribedContent = Readonly<
  Record<string, { readonly schema: Json; readonly examples?: Readonly<Record<string, { readonly value: unknown }>> }>
>;

/** An answer as it came over the wire. */
export interface ReceivedAnswer {
  readonly status: number;
  header(name: string): string | null;
  readonly body: string;
}

/** An answer that `fetch` got. */
export async function received(answer: Response): Promise<ReceivedAnswer> {
  return { status: answer.status, header: (name) => answer.headers.get(name), body: await answer.text() };
}

/** The operation of this id, with what it refers to in its place. */
export function operationOf(document: ApiDocument, operationId: string): DescribedOperation {
  const operations = Object.values(document.paths).flatMap((item) => Object.values(item));
  const found = operations.find((operation) => operation.operationId === operationId);
  if (!found) throw new Error(`no operation ${operationId}`);
  return resolved(found, document) as DescribedOperation;
}

/**
 * What the document doesn't say of an answer of an operation, or says otherwise. Nothing, if the answer is as described. A field
 * that the document doesn't name is a difference.
 */
export type Differences = (operationId: string, answer: ReceivedAnswer) => string[];

export function differencesFrom(document: ApiDocument): Differences {
  const operations = new Map<string, DescribedOperation>();
  const bodies = new Map<string, SchemaProblems>();
  return (operationId, { status, header, body }) => {
    const operation = cached(operations, operationId, () => operationOf(document, operationId));
    const described = operation.responses[String(status)];
    if (!described) return [`${operationId}: status ${status} is not described`];
    const problems = Object.keys(described.headers ?? {})
      .filter((name) => header(name) === null)
      .map((name) => `header ${name} is missing`);
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

/** Why a value is not what a schema says. */
export type SchemaProblems = (value: unknown) => string[];

export function schemaProblems(schema: Json): SchemaProblems {
  const validator = Schema.Compile(closed(schema) as object);
  return (value) => {
    if (validator.Check(value)) return [];
    const [, errors] = validator.Errors(value);
    return errors.map(({ instancePath, message }) => `${instancePath || "the body"} ${message}`);
  };
}

/** Answers are open for new fields; a test wants to know of those that nobody described. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== "object" || schema === null) return schema;
  const entries = Object.entries(schema).map(([key, value]) => [key, closed(value)]);
  if ("x-extensible-enum" in schema) entries.push(["enum", [...(schema["x-extensible-enum"] as string[]), null]]);
  return Object.fromEntries("properties" in schema ? [...entries, ["additionalProperties", false]] : entries);
}

/** The value with what it refers to in its place. */
export function resolved(value: unknown, document: ApiDocument): unknown {
  if (Array.isArray(value)) return value.map((element) => resolved(element, document));
  if (typeof value !== "object" || value === null) return value;
  if ("$ref" in value && typeof value.$ref === "string") return resolved(at(document, value.$ref), document);
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, resolved(inner, document)]));
}

/** What a reference such as `#/components/schemas/Response` names. */
function at(document: ApiDocument, ref: string): unknown {
  const path = ref.slice(2).split("/");
  return path.reduce<unknown>((inner, key) => (inner as Json | undefined)?.[key], document);
}
