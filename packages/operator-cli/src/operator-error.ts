/** The operator asked for something that can't be done as asked; the message is one line that says what to do. */
export class OperatorError extends Error {
  readonly code = "OPERATOR_ERROR";

  constructor(message: string) {
    super(message);
    this.name = "OperatorError";
  }
}
