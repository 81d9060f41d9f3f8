import Schema from "typebox/schema";

type Json = Readonly<Record<string, unknown>>;

/** The parts of the document that tests read. */
export interface ApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DescribedOperation>>>>;
  readonly components: {
    readonly schemas: Readonly<
      Record<string, { readonly properties?: Readonly<Record<string, Json>> }>
    >;
  };
}

interface DescribedOperation {
  readonly operationId: string;
  readonly security: readonly Json[];
  readonly parameters?: readonly DescribedParameter[];
  readonly requestBody?: { readonly content: DescribedContent };
  readonly responses: Readonly<Record<string, DescribedAnswer>>;
}

interface DescribedParameter {
  readonly name: string;
  readonly in: "query" | "header";
  readonly example?: unknown;
  readonly schema: Json;
}

interface DescribedAnswer {
  readonly headers?: Readonly<Record<string, Json>>;
  readonly content?: DescribedContent;
}

type DescribedContent = Readonly<
  Record<
    string,
    {
      readonly schema: Json;
      readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
    }
  >
>;

const operationsOf = ({ paths }: ApiDocument) =>
  Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({
      path,
      method: method.toUpperCase(),
      operation,
    })),
  );

/** The operation of this id, with its references resolved. @throws Error if there is none */
export function operationOf(document: ApiDocument, operationId: string): DescribedOperation {
  const found = operationsOf(document).find(
    ({ operation }) => operation.operationId === operationId,
  );
  if (!found) throw new Error(`no operation ${operationId}`);
  return resolved(found.operation, document) as DescribedOperation;
}

/** Path and method of each operation, by its id. */
export const operationsIn = (document: ApiDocument) =>
  new Map(
    operationsOf(document).map(({ path, method, operation }) => [
      operation.operationId,
      { path, method },
    ]),
  );

/** The value with references such as `#/components/schemas/Response` resolved. */
function resolved(value: unknown, document: ApiDocument): unknown {
  if (Array.isArray(value)) return value.map((element) => resolved(element, document));
  if (typeof value !== "object" || value === null) return value;
  if ("$ref" in value && typeof value.$ref === "string") {
    const path = value.$ref.slice(2).split("/");
    return resolved(
      path.reduce<unknown>((inner, key) => (inner as Json | undefined)?.[key], document),
      document,
    );
  }
  return mapped(value, (inner) => resolved(inner, document));
}

const mapped = (object: object, change: (value: unknown) => unknown): Json =>
  Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value)]));

/** A response as it came over the wire. */
interface ReceivedAnswer {
  readonly status: number;
  header(name: string): string | null;
  readonly body: string;
}

export async function received(answer: Response): Promise<ReceivedAnswer> {
  return {
    status: answer.status,
    header: (name) => answer.headers.get(name),
    body: await answer.text(),
  };
}

/** Differences between an operation's response and the document; undocumented fields too. */
export type Differences = (operationId: string, answer: ReceivedAnswer) => string[];

export function differencesFrom(document: ApiDocument): Differences {
  const bodies = new Map<string, ReturnType<typeof schemaProblems>>();
  return (operationId, { status, header, body }) => {
    const described = operationOf(document, operationId).responses[String(status)];
    if (!described) return [`${operationId}: status ${status} is not described`];
    // OpenAPI 3.1 §4.8.21: `required` is false by default. Ours are, unless marked otherwise.
    const problems = Object.entries(described.headers ?? {})
      .filter(([name, { required }]) => required !== false && header(name) === null)
      .map(([name]) => `header ${name} is missing`);
    const type = (header("content-type") ?? "").split(";", 1)[0] ?? "";
    const media = described.content?.[type];
    if (!media && (described.content || body !== ""))
      problems.push(`a body of type '${type}' is not described`);
    if (media && type.endsWith("json")) {
      const check = bodies.get(`${operationId} ${status}`) ?? schemaProblems(media.schema);
      bodies.set(`${operationId} ${status}`, check);
      problems.push(...check(JSON.parse(body)));
    }
    return problems.map((problem) => `${operationId} ${status}: ${problem}`);
  };
}

/** Returns a function that lists why a value does not match the schema. */
function schemaProblems(schema: Json): (value: unknown) => string[] {
  const validator = Schema.Compile(closed(schema) as object);
  return (value) => {
    if (validator.Check(value)) return [];
    const [, errors] = validator.Errors(value);
    return errors.map(({ instancePath, message }) => `${instancePath || "the body"} ${message}`);
  };
}

/** The schema without room for new fields, because tests must find undescribed ones. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== "object" || schema === null) return schema;
  const entries = Object.entries(schema).map(([key, value]) => [key, closed(value)]);
  if ("x-extensible-enum" in schema)
    entries.push(["enum", [...(schema["x-extensible-enum"] as string[]), null]]);
  return Object.fromEntries(
    "properties" in schema ? [...entries, ["additionalProperties", false]] : entries,
  );
}

type DescribedExample = ReturnType<typeof describedAnswers>[number];

/** Every response of these operations: one for each example, or one if it has none. */
export function describedAnswers(document: ApiDocument, operationIds: Iterable<string>) {
  const ids = new Set(operationIds);
  return operationsOf(document)
    .filter(({ operation }) => ids.has(operation.operationId))
    .flatMap(({ operation: { operationId, responses } }) =>
      Object.entries(responses).flatMap(([status, answer]) =>
        examplesOf(answer).map((example) => ({ operationId, status: Number(status), ...example })),
      ),
    );
}

/** How to get each example, by its name. @throws if names of examples and recipes differ */
export function recipesOf<Recipe>(
  examples: readonly DescribedExample[],
  recipes: Readonly<Record<string, Recipe>>,
): (readonly [name: string, example: DescribedExample, recipe: Recipe])[] {
  const unused = new Set(Object.keys(recipes));
  const found = examples.map((example) => {
    const short = [String(example.status), ...(example.name === null ? [] : [example.name])].join(
      " ",
    );
    const name = `${example.operationId} ${short}`;
    const key = name in recipes ? name : short;
    const recipe = recipes[key];
    if (recipe === undefined) throw new Error(`no recipe for ${name}`);
    unused.delete(key);
    return [name, example, recipe] as const;
  });
  if (unused.size > 0) throw new Error(`no example for ${[...unused].join(", ")}`);
  return found;
}

/** `name` is null for a response without a body, or without an example. */
function examplesOf({ content = {} }: DescribedAnswer) {
  const examples = Object.entries(content).flatMap(([type, media]) =>
    Object.entries(media.examples ?? {}).map(([name, { value }]) => ({
      type,
      name: name as string | null,
      value,
    })),
  );
  return examples.length > 0
    ? examples
    : [{ type: Object.keys(content)[0] ?? null, name: null, value: null }];
}

/** The kinds of fields and the formats of texts, which a response and its example share. */
export function kindOf(value: unknown): unknown {
  if (value === null) return "null";
  if (Array.isArray(value)) return value.map(kindOf);
  if (typeof value === "object") return mapped(value, kindOf);
  return typeof value === "string" ? kindOfText(value) : typeof value;
}

const FORMS: readonly (readonly [RegExp, (found: RegExpExecArray) => string])[] = [
  [/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/, () => "a time"],
  [/^eyJ[\w-]+\.[\w-]+\.[\w-]+$/, () => "a signed token"],
  [/^(pc[a-z])_[\w-]{43}(_shop_[0-9a-f]{32})?$/, ([, prefix]) => `a secret ${prefix}_`],
  [/^([a-z]+)_([0-9a-f]{24,32})$/, ([, prefix, hex]) => `an id ${prefix}_ of ${hex?.length}`],
  [/^(https?:\/\/[^/?#]+)([^?#]*)/, ([, , path]) => `a URL of ${path}`],
  [/^[\w-]{43}$/, () => "256 bits"],
];

function kindOfText(text: string): string {
  for (const [form, name] of FORMS) {
    const found = form.exec(text);
    if (found) return name(found);
  }
  return "a text";
}
