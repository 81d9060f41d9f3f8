/** What the reference reads of an OpenAPI 3.1 document. */
export interface ApiDocument {
  readonly info: { readonly title: string; readonly description?: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly tags?: readonly { readonly name: string; readonly description?: string }[];
  readonly components?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

export interface Operation {
  readonly operationId?: string;
  readonly summary?: string;
  readonly description?: string;
  readonly tags?: readonly string[];
  readonly deprecated?: boolean;
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: Body;
  readonly responses?: Readonly<Record<string, Body>>;
}

export interface Parameter extends Sample {
  readonly name: string;
  readonly in: string;
  readonly description?: string;
  readonly required?: boolean;
  readonly deprecated?: boolean;
  readonly schema?: Schema;
}

/** A request's or an answer's. */
export interface Body {
  readonly description?: string;
  readonly headers?: Readonly<Record<string, { readonly description?: string; readonly schema?: Schema }>>;
  readonly content?: Readonly<Record<string, Media>>;
}

export interface Media extends Sample {
  readonly schema?: Schema;
}

interface Sample {
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly summary?: string; readonly value?: unknown }>>;
}

export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly title?: string;
  readonly description?: string;
  readonly format?: string;
  readonly pattern?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly example?: unknown;
  readonly examples?: readonly unknown[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly maxItems?: number;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly deprecated?: boolean;
}

/** Follows `$ref`s within the document. Throws an Error where one leads to nothing. */
export type Resolve = <Value extends object>(value: Value) => Value;

export function resolver(document: ApiDocument): Resolve {
  const resolve: Resolve = (value) => {
    const { $ref } = value as { readonly $ref?: string };
    if ($ref === undefined) return value;
    const steps = $ref.replace(/^#\//, "").split("/").map(unescapePointer);
    const found = steps.reduce<unknown>((at, step) => (at as Record<string, unknown> | undefined)?.[step], document);
    if (typeof found !== "object" || found === null)
      throw new Error(`the document refers to ${$ref}, which is not in it`);
    return resolve(found as typeof value);
  };
  return resolve;
}

/** RFC 6901. */
function unescapePointer(step: string): string {
  return decodeURIComponent(step).replaceAll("~1", "/").replaceAll("~0", "~");
}

/** Of `#/components/schemas/Response`: `Response`. */
export function componentName({ $ref }: Schema): string | null {
  return /^#\/components\/schemas\/(.+)$/.exec($ref ?? "")?.[1] ?? null;
}
