/** The values of a statement that is built from parts; each is named by its place. */
export class Statement {
  readonly values: (string | number)[] = [];

  /** `$1`, `$2`, … Every call is a place of its own, so that the text depends on the shape alone. */
  bind(value: string | number): string {
    return `$${this.values.push(value)}`;
  }
}
