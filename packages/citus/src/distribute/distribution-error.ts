/** The database can't be distributed as it is. Nothing was changed. */
export class DistributionError extends Error {
  override readonly name = "DistributionError";
  readonly code: "CITUS_MISSING" | "UNKNOWN_TABLES";
  /** What the operator can do. */
  readonly hint: string;

  constructor(message: string, code: DistributionError["code"], hint: string) {
    super(message);
    this.code = code;
    this.hint = hint;
  }
}
