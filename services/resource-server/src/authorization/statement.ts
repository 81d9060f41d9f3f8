export type StatementValue = string | number | string[] | Buffer | null;

/** A statement that is built from parts: its text and its values, each named by its place. */
export class Statement {
  text = "";
  readonly values: StatementValue[] = [];

  /** `$1`, `$2`, … Every call is a place of its own, so that the text depends on the shape alone. */
  bind(value: StatementValue): string {
    return `$${this.values.push(value)}`;
  }
}
