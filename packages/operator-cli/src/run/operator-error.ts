export interface ErrorDetails {
  /** Stable, for scripts (default: OPERATOR_ERROR). */
  readonly code?: string;
  /** What the operator can do about it. */
  readonly hint?: string;
}

/** The command can't be done as it was given. The message is one line. */
export class OperatorError extends Error {
  readonly code: string;
  readonly hint: string | undefined;

  constructor(message: string, { code = "OPERATOR_ERROR", hint }: ErrorDetails = {}) {
    super(message);
    this.name = "OperatorError";
    this.code = code;
    this.hint = hint;
  }
}

/** The command has answered, and its answer is a failure: exit code 1, and nothing more to say. */
export class FailedAnswer extends Error {
  override readonly name = "FailedAnswer";
}

/** The command line is wrong, whatever the system holds: exit code 2. */
export class UsageError extends OperatorError {
  constructor(message: string, hint?: string) {
    super(message, { code: "USAGE", ...(hint !== undefined && { hint }) });
  }
}
