export type StatementValue = string | number | string[] | Buffer | null;

export class Statement {
  text = "";
  readonly values: StatementValue[] = [];

  /**
   * Adds a value and returns its parameter: `$1`, `$2`, …. Equal values get separate parameters, so the text depends only on the shape of
   * the request.
   */
  bind(value: StatementValue): string {
    return `$${this.values.push(value)}`;
  }
}
