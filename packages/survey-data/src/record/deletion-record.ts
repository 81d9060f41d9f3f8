import { type Field, recordReader } from "./record-reader.ts";
import { VERSION } from "./response-record.ts";

export const DELETION_FIELDS: readonly Field[] = [{ name: "id", kind: "text", required: true }, VERSION];

/** Parses one line of deletions. @throws {FieldError}, or {SyntaxError} if the line is not a JSON object */
export const readDeletion = recordReader(DELETION_FIELDS);
