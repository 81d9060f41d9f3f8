/** What the document says of one field of a record. */
export interface DescribedField {
  readonly description: string;
  readonly example: unknown;
}

/** By the field's name. */
export type DescribedFields = Readonly<Record<string, DescribedField>>;
