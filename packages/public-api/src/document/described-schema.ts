/** A schema of the document, as far as types and manifests are made of it. */
export interface DescribedSchema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly examples?: readonly unknown[];
  readonly enum?: readonly string[];
  readonly "x-extensible-enum"?: readonly string[];
  readonly format?: string;
  readonly pattern?: string;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, DescribedSchema>>;
  readonly items?: DescribedSchema;
}
