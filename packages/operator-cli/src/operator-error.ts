/** The command can't be done as it was given. The message is one line that says what to do. */
export class OperatorError extends Error {
  readonly code = "OPERATOR_ERROR";

  constructor(message: string) {
    super(message);
    this.name = "OperatorError";
  }
}
