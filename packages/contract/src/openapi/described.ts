/** The fields that we read of an OpenAPI 3.1 schema, parameter, body or response, or a `$ref`. */
export interface Described {
  readonly $ref?: string;
  readonly name?: string;
  readonly in?: string;
  readonly required?: boolean | readonly string[];
  readonly deprecated?: boolean;
  readonly description?: string;
  readonly schema?: Described;
  readonly example?: unknown;
  readonly examples?: unknown;
  readonly content?: Readonly<Record<string, Described>>;
  readonly headers?: Readonly<Record<string, Described>>;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly properties?: Readonly<Record<string, Described>>;
  readonly items?: Described;
  readonly oneOf?: readonly Described[];
  readonly anyOf?: readonly Described[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly maxItems?: number;
}

export interface DescribedOperation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary?: string;
  readonly description?: string;
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters?: readonly Described[];
  readonly requestBody?: Described;
  readonly responses: Readonly<Record<string, Described>>;
}

export interface DescribedDocument {
  readonly info: { readonly title: string; readonly description: string };
  readonly tags: readonly { readonly name: string; readonly description?: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, DescribedOperation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Described>>;
    readonly headers?: Readonly<Record<string, Described>>;
  };
}

/** The document's operations by tag, in the order of the tags. */
export function operationGroups({ tags, paths }: DescribedDocument) {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      ...{ path, route: `${method.toUpperCase()} ${path}` },
      ...operation,
    })),
  );
  return tags.map((tag) => ({
    ...tag,
    operations: operations.filter((operation) => operation.tags[0] === tag.name),
  }));
}
