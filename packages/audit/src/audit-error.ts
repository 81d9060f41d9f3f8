/** The audit log can't be sealed or checked as it was asked. The message is one line, for the operator. */
export class AuditError extends Error {
  override readonly name = "AuditError";
  readonly code: "UNSETTLED" | "WRONG_KEY" | "SEALED_MEANWHILE";
  readonly hint: string;

  constructor(message: string, code: AuditError["code"], hint: string) {
    super(message);
    this.code = code;
    this.hint = hint;
  }
}
