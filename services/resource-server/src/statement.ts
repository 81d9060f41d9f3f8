type StatementValue = string | number | string[] | Buffer | null;

/** An SQL text with its parameters, which are bound while the text is built. */
export class Statement {
  text = "";
  readonly values: StatementValue[] = [];

  /**
   * Adds a value and returns its parameter. Equal values get separate ones, so the text depends
   * only on the request's shape.
   */
  bind(value: StatementValue): string {
    return `$${this.values.push(value)}`;
  }

  /** Milliseconds since the epoch. */
  bindTime(at: number): string {
    return `${this.bind(new Date(at).toISOString())}::timestamptz`;
  }
}
