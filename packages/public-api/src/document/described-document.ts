/** The document, as far as other files and pages are made of it. */
export interface DescribedDocument {
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, DescribedOperation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, DescribedSchema>>;
    readonly headers: Readonly<Record<string, { readonly description: string }>>;
  };
}

export interface DescribedOperation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description?: string;
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters?: readonly DescribedParameter[];
  readonly requestBody?: DescribedBody & { readonly content: DescribedContent };
  readonly responses: Readonly<Record<string, DescribedBody>>;
}

export interface DescribedParameter {
  readonly name: string;
  readonly in: "query" | "header";
  readonly description: string;
  readonly required?: boolean;
  readonly deprecated?: boolean;
  readonly schema: DescribedSchema;
  readonly example: unknown;
}

export interface DescribedBody {
  readonly description?: string;
  readonly headers?: Readonly<Record<string, { readonly description?: string }>>;
  readonly content?: DescribedContent;
}

export type DescribedContent = Readonly<Record<string, DescribedMedia>>;

export interface DescribedMedia {
  readonly schema?: DescribedSchema;
  readonly examples?: Readonly<Record<string, { readonly summary: string; readonly value: unknown }>>;
}

/** A schema of the document, as far as programs and readers depend on it. */
export interface DescribedSchema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly examples?: readonly unknown[];
  readonly enum?: readonly string[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly "x-extensible-enum"?: readonly string[];
  readonly format?: string;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly maxItems?: number;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, DescribedSchema>>;
  readonly items?: DescribedSchema;
  readonly anyOf?: readonly DescribedSchema[];
  readonly oneOf?: readonly DescribedSchema[];
  readonly allOf?: readonly DescribedSchema[];
}
