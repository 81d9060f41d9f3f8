import { DirectoryError, type DirectoryErrorCode } from "@partner-connect/directory";
import { ApiError } from "@partner-connect/service-runtime";
import { FieldError, ImportError, UnknownShopError } from "@partner-connect/survey-data";

/** 400. @param line of the body, counted from 1 */
export const invalidRequest = (field: string | undefined, description: string, line?: number): ApiError => {
  const at = { ...(line !== undefined && { line }), ...(field !== undefined && { field }) };
  const body = { error: "invalid_request", error_description: description, ...at };
  return new ApiError(400, body, { reason: "invalid_parameter", param: field });
};

export const malformedBody = (description = "The request's body is malformed."): ApiError =>
  new ApiError(400, { error: "invalid_request", error_description: description }, { reason: "malformed_body" });

export const notFound = (description: string): ApiError =>
  new ApiError(404, { error: "not_found", error_description: description }, { reason: "not_found" });

const conflict = (description: string): ApiError =>
  new ApiError(409, { error: "conflict", error_description: description }, { reason: "conflict" });

const FIELDS: Partial<Record<DirectoryErrorCode, string>> = {
  INVALID_EMAIL: "email",
  INVALID_NAME: "name",
  INVALID_DOMAIN: "domain",
  INVALID_PLAN: "plan",
};

/** The answer to a refusal by the directory, or of survey data; other errors are returned unchanged. */
export function asRefusal(error: unknown): unknown {
  if (error instanceof ImportError) return invalidRequest(error.field, error.message, error.line);
  if (error instanceof FieldError) return invalidRequest(error.field, error.message);
  if (error instanceof UnknownShopError) return notFound(error.message);
  if (!(error instanceof DirectoryError)) return error;
  const { code, message } = error;
  if (code === "UNKNOWN_SHOP" || code === "UNKNOWN_MERCHANT") return notFound(message);
  if (code === "EMAIL_TAKEN" || code === "ERASURE_UNDER_WAY") return conflict(message);
  const field = FIELDS[code];
  return field === undefined ? error : invalidRequest(field, message);
}
