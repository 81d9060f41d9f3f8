import type { DescribedSchema } from "./described-schema.ts";

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
    { readonly examples?: Readonly<Record<string, { readonly summary: string; readonly value: unknown }>> }
  >
>;
