import { DirectoryError } from "@partner-connect/directory";
import { ApiError } from "@partner-connect/service-runtime";
import { FieldError, ImportError, UnknownShopError } from "@partner-connect/survey-data";

/** An error with a description. `line` of the body counts from 1. @param reason for the log; default: `error` */
export function refusal(
  status: number,
  error: string,
  description: string,
  { reason = error, ...at }: { readonly reason?: string; readonly field?: string; readonly line?: number } = {},
): ApiError {
  return new ApiError(status, { error, error_description: description, ...at }, { reason, param: at.field });
}

export const invalidRequest = (description: string, field: string | undefined, line?: number): ApiError =>
  refusal(400, "invalid_request", description, {
    reason: "invalid_parameter",
    ...(field !== undefined && { field }),
    ...(line !== undefined && { line }),
  });

export const malformedBody = (description = "The request's body is malformed."): ApiError =>
  refusal(400, "invalid_request", description, { reason: "malformed_body" });

/** The answer to a refusal by the directory, or of survey data; other errors are returned unchanged. */
export function asRefusal(error: unknown): unknown {
  if (error instanceof ImportError) return invalidRequest(error.message, error.field, error.line);
  if (error instanceof FieldError) return invalidRequest(error.message, error.field);
  if (!(error instanceof DirectoryError || error instanceof UnknownShopError)) return error;
  const { code, message } = error;
  if (code === "UNKNOWN_SHOP" || code === "UNKNOWN_MERCHANT") return refusal(404, "not_found", message);
  if (code === "EMAIL_TAKEN" || code === "ERASURE_UNDER_WAY") return refusal(409, "conflict", message);
  const [, field] = /^INVALID_(EMAIL|NAME|DOMAIN|PLAN)$/.exec(code) ?? [];
  return field === undefined ? error : invalidRequest(message, field.toLowerCase());
}
