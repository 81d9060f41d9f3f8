export type Json = Readonly<Record<string, unknown>>;

/** The parts of the document that tests read. */
export interface ApiDocument {
  readonly openapi: string;
  readonly servers: readonly { readonly url: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, DescribedOperation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, { readonly properties?: Readonly<Record<string, Json>> }>>;
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

/**
 * The operation of this id, with what it refers to in its place.
 *
 * @throws Error if there is none
 */
export function operationOf(document: ApiDocument, operationId: string): DescribedOperation {
  const operations = Object.values(document.paths).flatMap((item) => Object.values(item));
  const found = operations.find((operation) => operation.operationId === operationId);
  if (!found) throw new Error(`no operation ${operationId}`);
  return resolved(found, document) as DescribedOperation;
}

/** Path and method of each operation, by its id. */
export function operationsIn(
  document: ApiDocument,
): ReadonlyMap<string, { readonly path: string; readonly method: string }> {
  return new Map(
    Object.entries(document.paths).flatMap(([path, item]) =>
      Object.entries(item).map(([method, { operationId }]) => [operationId, { path, method: method.toUpperCase() }]),
    ),
  );
}

/** The value with what it refers to in its place. */
function resolved(value: unknown, document: ApiDocument): unknown {
  if (Array.isArray(value)) return value.map((element) => resolved(element, document));
  if (typeof value !== "object" || value === null) return value;
  if ("$ref" in value && typeof value.$ref === "string") return resolved(at(document, value.$ref), document);
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, resolved(inner, document)]));
}

/** Resolves a reference such as `#/components/schemas/Response`. */
function at(document: ApiDocument, ref: string): unknown {
  const path = ref.slice(2).split("/");
  return path.reduce<unknown>((inner, key) => (inner as Json | undefined)?.[key], document);
}
