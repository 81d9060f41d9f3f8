import { type Field, fromProduct, INSERTED_AT, recordReader, UPDATED_AT } from "./record-reader.ts";

export const QUESTION_OPTION_FIELDS: readonly Field[] = [
  { name: "id", kind: "integer" },
  { name: "value", kind: "text", required: true },
  { name: "clarification_question", kind: "boolean_or_text" },
];

export const QUESTION_FIELDS: readonly Field[] = [
  { name: "id", kind: "integer", required: true },
  { name: "prompt", kind: "text", required: true },
  { name: "type", kind: "text", oneOf: ["single_response", "multi_response", "open_ended"] },
  { name: "submit_text", kind: "text" },
  { name: "allow_other", kind: "boolean" },
  { name: "other_placeholder", kind: "text" },
  { name: "randomize_responses", kind: "boolean" },
  { name: "max_responses", kind: "integer" },
  { name: "customer_type", kind: "text", oneOf: ["everyone", "new", "returning"] },
  { name: "frequency_type", kind: "text", oneOf: ["always", "once"] },
  { name: "published_at", kind: "timestamp" },
  INSERTED_AT,
  UPDATED_AT,
  { name: "responses", kind: "list", fields: QUESTION_OPTION_FIELDS },
];

/**
 * Parses one line of a question import. @throws {FieldError}, or {SyntaxError} if the line is not a
 * JSON object
 */
export const readQuestion = recordReader(QUESTION_FIELDS);

/** Maximum bytes of texts that are copied into responses, by field. */
const MOST: Readonly<Record<string, number>> = { prompt: 4 * 1024, value: 1024 };

const withMaxBytes = (fields: readonly Field[]): readonly Field[] =>
  fields.map((field) => ({
    ...field,
    ...(MOST[field.name] && { maxBytes: MOST[field.name] }),
    ...(field.fields && { fields: withMaxBytes(field.fields) }),
  }));

export const PRODUCT_QUESTION_FIELDS = withMaxBytes(fromProduct(QUESTION_FIELDS));

/** Parses one line of the survey product's questions, with the errors of {@link readQuestion}. */
export const readProductQuestion = recordReader(PRODUCT_QUESTION_FIELDS);
