/** Who does something, for the audit log. */
export interface Actor {
  /** `merchant:<id>`, `client:<client id>`, `operator:<name>` or `system`. */
  readonly name: string;
  /** The address that the request came from, where there is one. */
  readonly ip?: string | undefined;
  /** As in `x-request-id`, where there is a request. */
  readonly requestId?: string | undefined;
}
