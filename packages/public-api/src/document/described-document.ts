/** The document, as far as other files are made of it. */
export interface DescribedDocument {
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, DescribedOperation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, DescribedSchema>> };
}

export interface DescribedOperation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description?: string;
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters?: readonly DescribedParameter[];
  readonly requestBody?: { readonly content: DescribedContent };
  readonly responses: Readonly<Record<string, { readonly description?: string; readonly content?: DescribedContent }>>;
}

export interface DescribedParameter {
  readonly name: string;
  readonly in: "query" | "header";
  readonly description: string;
  readonly required?: boolean;
  readonly deprecated?: boolean;
  readonly example: unknown;
}

export type DescribedContent = Readonly<
  Record<
    string,
    {
      readonly schema?: DescribedSchema;
      readonly examples?: Readonly<Record<string, { readonly summary: string; readonly value: unknown }>>;
    }
  >
>;

/** A schema of the document, as far as programs depend on it. */
export interface DescribedSchema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly examples?: readonly unknown[];
  readonly enum?: readonly string[];
  readonly const?: unknown;
  readonly "x-extensible-enum"?: readonly string[];
  readonly format?: string;
  readonly pattern?: string;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, DescribedSchema>>;
  readonly items?: DescribedSchema;
  readonly anyOf?: readonly DescribedSchema[];
  readonly oneOf?: readonly DescribedSchema[];
  readonly allOf?: readonly DescribedSchema[];
}
