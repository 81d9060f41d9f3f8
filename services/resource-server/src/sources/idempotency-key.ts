import { hash } from "node:crypto";
import { headerValues } from "@partner-connect/service-runtime";
import type { IdempotentRequest } from "@partner-connect/survey-data";
import { ApiError, invalidRequest } from "../errors/api-error.ts";

/**
 * Returns the request's idempotency key, or null. @throws {ApiError} 400 if it is malformed or
 * repeated
 */
export function readIdempotencyKey(
  rawHeaders: readonly string[],
  body: unknown,
): IdempotentRequest | null {
  const [key, ...more] = headerValues(rawHeaders, "idempotency-key");
  if (key === undefined) return null;
  if (more.length > 0 || !/^[\x21-\x7e]{1,255}$/.test(key)) {
    throw invalidRequest(
      "idempotency-key",
      "Idempotency-Key must be one value of 1 to 255 visible ASCII characters.",
    );
  }
  return { keyHash: sha256(key), bodyHash: sha256(JSON.stringify(body)) };
}

/** The key was used for another body, so nothing was done. */
export const keyReused = (): ApiError =>
  new ApiError(422, { error: "idempotency_key_reused" }, { reason: "idempotency_key_reused" });

const sha256 = (text: string): Buffer => hash("sha256", text, "buffer");
