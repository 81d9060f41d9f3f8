import { randomBytes } from "node:crypto";
import {
  type Field,
  FieldError,
  fromProduct,
  INSERTED_AT,
  recordReader,
  UPDATED_AT,
  type Values,
} from "./record-reader.ts";

export const RESPONSE_FIELDS: readonly Field[] = [
  { name: "id", kind: "text" },
  INSERTED_AT,
  UPDATED_AT,
  { name: "response_provided_at", kind: "timestamp", past: true },
  { name: "question_id", kind: "integer" },
  { name: "question", kind: "text" },
  { name: "question_type", kind: "text" },
  { name: "response", kind: "text" },
  { name: "response_id", kind: "integer" },
  { name: "response_position", kind: "integer" },
  { name: "other", kind: "boolean" },
  { name: "other_response", kind: "text" },
  { name: "original_response", kind: "text" },
  { name: "clarification_question", kind: "boolean_or_text" },
  { name: "referring_question", kind: "text" },
  { name: "referring_question_id", kind: "integer" },
  { name: "referring_question_response", kind: "text" },
  { name: "referring_question_response_id", kind: "integer" },
  { name: "submit_delta", kind: "integer" },
  { name: "customer_id", kind: "reference" },
  { name: "customer_order_count", kind: "integer" },
  { name: "email", kind: "text" },
  { name: "order_id", kind: "reference" },
  { name: "order_number", kind: "reference" },
  { name: "order_platform", kind: "text" },
  { name: "order_source", kind: "text" },
  { name: "order_currency_code", kind: "text" },
  { name: "order_total", kind: "decimal" },
  { name: "order_total_usd", kind: "decimal" },
  { name: "coupon_code", kind: "text" },
  { name: "coupon_type", kind: "text" },
  { name: "coupon_amount", kind: "decimal" },
  { name: "landing_page_path", kind: "text" },
  { name: "referring_site", kind: "text" },
  { name: "utm_campaign", kind: "text" },
  { name: "utm_content", kind: "text" },
  { name: "utm_medium", kind: "text" },
  { name: "utm_source", kind: "text" },
  { name: "utm_term", kind: "text" },
];

/** A number that grows in the survey product with each change of a record. */
const VERSION: Field = { name: "version", kind: "integer", min: 0 };

export const PRODUCT_RESPONSE_FIELDS: readonly Field[] = [...fromProduct(RESPONSE_FIELDS), VERSION];

/**
 * Parses one line of a response import. @throws {FieldError}, or {SyntaxError} if the line is not a
 * JSON object
 */
export const readResponse = recordReader(RESPONSE_FIELDS, (values) => {
  if (values["id"] === null) values["id"] = newResponseId(Date.now(), randomBytes(10));
  else requireResponseId(values["id"] as string);
  requireQuestion(values);
  requireAnswer(values);
  return false;
});

/**
 * Parses one line of the survey product's responses, with the errors of {@link readResponse}. A
 * response without `question` is incomplete.
 */
export const readProductResponse = recordReader(PRODUCT_RESPONSE_FIELDS, (values) => {
  requireQuestion(values);
  const isIncomplete = isEmptyOrNull(values["question"]);
  if (!isIncomplete || values["response_id"] === null) requireAnswer(values);
  return isIncomplete;
});

export const DELETION_FIELDS: readonly Field[] = [
  { name: "id", kind: "text", required: true },
  VERSION,
];

/** Parses one line of deletions of responses, with the errors of {@link readResponse}. */
export const readDeletion = recordReader(DELETION_FIELDS);

/** @throws {FieldError} */
function requireQuestion(values: Values): void {
  if (isEmptyOrNull(values["question"]) && values["question_id"] === null) {
    throw new FieldError("question", "or question_id is required");
  }
}

/** @throws {FieldError} */
function requireAnswer(values: Values): void {
  if (isEmptyOrNull(values["response"]) && isEmptyOrNull(values["other_response"])) {
    throw new FieldError("response", "or other_response is required");
  }
}

/** Ids are opaque: 1 to 64 characters without control characters. @throws {FieldError} */
function requireResponseId(id: string): void {
  if (id === "") throw new FieldError("id", "is empty");
  // The first comparison suffices for most ids, and is faster.
  if (id.length > 64 && [...id].length > 64)
    throw new FieldError("id", "is longer than 64 characters");
  if (/\p{Cc}/u.test(id)) throw new FieldError("id", "has a control character");
}

/** True for an absent or empty text. */
export function isEmptyOrNull(value: unknown): boolean {
  return value === null || value === "";
}

/**
 * A new id: `res_` and the hexadecimal digits of a UUID version 7 (RFC 9562), so that ids sort by
 * creation time. @param time in milliseconds @param random ten bytes
 */
export function newResponseId(time: number, random: Buffer): string {
  const tail = Buffer.from(random);
  tail.writeUInt8(0x70 | (tail.readUInt8(0) & 0x0f), 0);
  tail.writeUInt8(0x80 | (tail.readUInt8(2) & 0x3f), 2);
  return `res_${time.toString(16).padStart(12, "0")}${tail.toString("hex")}`;
}
