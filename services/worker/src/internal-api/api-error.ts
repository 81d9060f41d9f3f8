import { DirectoryError } from "@partner-connect/directory";
import { ApiError } from "@partner-connect/service-runtime";
import {
  FieldError,
  ImportError,
  TooManyRecordsError,
  UnknownShopError,
} from "@partner-connect/survey-data";

/**
 * An error with a description. `line` of the body counts from 1. @param reason for the log;
 * default: `error`
 */
export function refusal(
  status: number,
  error: string,
  description: string,
  more: { readonly reason?: string; readonly field?: string; readonly line?: number } = {},
): ApiError {
  const { reason = error, ...at } = more;
  const body = { error, error_description: description, ...at };
  return new ApiError(status, body, { reason, param: at.field });
}

export const invalidRequest = (description: string, field: string | undefined, line?: number) =>
  refusal(400, "invalid_request", description, {
    reason: "invalid_parameter",
    ...(field !== undefined && { field }),
    ...(line !== undefined && { line }),
  });

export const malformedBody = (description = "The request's body is malformed."): ApiError =>
  refusal(400, "invalid_request", description, { reason: "malformed_body" });

/** Seconds until a caller may retry; an erasure takes seconds to minutes. */
const ERASURE_SECONDS = "2";

/** True if the shop or merchant does not exist. */
export const isNotFoundError = (error: unknown): boolean =>
  error instanceof UnknownShopError ||
  (error instanceof DirectoryError && ["UNKNOWN_SHOP", "UNKNOWN_MERCHANT"].includes(error.code));

/** A 400 that names the first bad line, and lists up to ten. */
function badLines(error: ImportError): ApiError {
  const of = ({ line, field, message }: ImportError) => ({
    ...{ line, ...(field !== undefined && { field }), error_description: message },
  });
  const body = { error: "invalid_request", ...of(error), errors: error.errors.map(of) };
  return new ApiError(400, body, { reason: "invalid_parameter", param: error.field });
}

/** Converts refusals of directory and survey-data to API errors; returns other errors unchanged. */
export function asRefusal(error: unknown): unknown {
  if (error instanceof ImportError) return badLines(error);
  if (error instanceof TooManyRecordsError) return refusal(413, "payload_too_large", error.message);
  if (error instanceof FieldError) return invalidRequest(error.message, error.field);
  if (!(error instanceof DirectoryError || error instanceof UnknownShopError)) return error;
  const { code, message } = error;
  if (isNotFoundError(error)) return refusal(404, "not_found", message);
  if (code === "ERASURE_UNDER_WAY") {
    const body = { error: "conflict", error_description: message };
    const facts = { reason: "erasure_under_way" };
    return new ApiError(409, body, facts, { "retry-after": ERASURE_SECONDS });
  }
  if (code === "EMAIL_TAKEN") return refusal(409, "conflict", message, { field: "email" });
  if (code === "NOT_OF_PRODUCT") return refusal(409, "conflict", message);
  const [, field] = /^INVALID_(EMAIL|NAME|DOMAIN|PLAN)$/.exec(code) ?? [];
  return field === undefined ? error : invalidRequest(message, field.toLowerCase());
}
