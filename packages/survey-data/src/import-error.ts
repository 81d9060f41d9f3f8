/** Why nothing of a file was kept. `line` counts from 1, blank lines included. */
export class ImportError extends Error {
  readonly code = "IMPORT_REFUSED";
  readonly line: number;
  /** The field that has the problem, where it is one field. */
  readonly field: string | undefined;

  constructor(line: number, reason: string, field?: string) {
    super(field === undefined ? `line ${line}: ${reason}` : `line ${line}: ${field} ${reason}`);
    this.name = "ImportError";
    this.line = line;
    this.field = field;
  }
}
