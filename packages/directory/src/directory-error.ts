export type DirectoryErrorCode =
  | "INVALID_EMAIL"
  | "INVALID_PASSWORD"
  | "INVALID_NAME"
  | "INVALID_DOMAIN"
  | "INVALID_PLAN"
  | "INVALID_REDIRECT_URI"
  | "INVALID_SCOPE"
  | "INVALID_GRANT_TYPE"
  | "INVALID_OVERLAP"
  | "INVALID_LOGO"
  | "INVALID_WEB_ADDRESS"
  | "AMBIGUOUS_NAME"
  | "CLIENT_NAME_TAKEN"
  | "ROTATION_UNDER_WAY"
  | "NO_ROTATION"
  | "EMAIL_TAKEN"
  | "ALREADY_MEMBER"
  | "TOO_MANY_TEST_SHOPS"
  | "LAST_MEMBER"
  | "UNKNOWN_MEMBER"
  | "MERCHANT_DISABLED"
  | "ERASURE_UNDER_WAY"
  | "NOT_OF_PRODUCT"
  | "UNKNOWN_MERCHANT"
  | "UNKNOWN_SHOP"
  | "UNKNOWN_CLIENT"
  | "UNKNOWN_API_KEY"
  | "UNKNOWN_PRODUCT_KEY";

/** A refusal by the directory. Its message is one line for operators, without secrets. */
export class DirectoryError extends Error {
  readonly code: DirectoryErrorCode;

  constructor(code: DirectoryErrorCode, message: string) {
    super(message);
    this.name = "DirectoryError";
    this.code = code;
  }
}

/** The error for a record that does not exist. */
export function unknownIdError(what: "merchant" | "shop" | "client", id: string): DirectoryError {
  const code = `UNKNOWN_${what.toUpperCase() as Uppercase<typeof what>}` as const;
  return new DirectoryError(code, `there is no ${what} ${JSON.stringify(id)}`);
}

export function erasureUnderWayError(what: "merchant" | "shop", id: string): DirectoryError {
  const problem = `the ${what} ${JSON.stringify(id)} is being erased; try again later`;
  return new DirectoryError("ERASURE_UNDER_WAY", problem);
}

/** The error for a record that the survey product didn't create, and so may not change. */
export function notFromProductError(
  what: "an operator's account" | "a partner's test shop",
  id: string,
): DirectoryError {
  return new DirectoryError("NOT_OF_PRODUCT", `${JSON.stringify(id)} is ${what}`);
}
