export type StatementValue = string | number | string[] | Buffer | null;

export class Statement {
  text = "";
  readonly values: StatementValue[] = [];

  /** Adds a value and returns its parameter. Equal values get separate ones, so the text depends only on the request's shape. */
  bind(value: StatementValue): string {
    return `$${this.values.push(value)}`;
  }
}
