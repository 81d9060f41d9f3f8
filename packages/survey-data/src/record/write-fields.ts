import { formatTimestamp } from "@partner-connect/contract";
import {
  type Field,
  FieldError,
  quoted,
  requireDecimal,
  requireInteger,
  requirePast,
  requireText,
  requireTimestamp,
} from "./field.ts";

/** The compact JSON of each of `fields`, null where absent. @throws {FieldError} for a value that is refused, or an unknown name */
export function writeFields(record: object, fields: readonly Field[], now: number, path = ""): string[] {
  const values = record as Record<string, unknown>;
  const written: string[] = [];
  let known = 0;
  for (const field of fields) {
    const value = values[field.name];
    if (value !== undefined) known++;
    if (field.stamp) written.push("");
    else if (value !== undefined && value !== null) written.push(write(value, field, path + field.name, now));
    else if (field.required) throw new FieldError(path + field.name, "is required");
    else written.push(field.kind === "list" ? "[]" : "null");
  }
  if (Object.keys(values).length !== known) refuseUnknown(values, fields, path);
  return written;
}

function write(value: unknown, field: Field, name: string, now: number): string {
  switch (field.kind) {
    case "text":
      return writeText(value, field, name);
    case "integer":
      return String(requireInteger(value, name));
    case "timestamp":
      return `"${formatTimestamp(field.past ? requirePast(value, name, now) : requireTimestamp(value, name))}"`;
    case "decimal":
      return `"${requireDecimal(value, name)}"`;
    case "reference":
      return typeof value === "number" ? `"${requireInteger(value, name)}"` : writeText(value, field, name);
    case "boolean":
      if (typeof value === "boolean") return String(value);
      throw new FieldError(name, "must be true or false");
    case "boolean_or_text":
      return typeof value === "boolean" ? String(value) : writeText(value, field, name);
    case "list":
      return writeList(value, field, name, now);
  }
}

function writeText(value: unknown, field: Field, name: string): string {
  const text = requireText(value, name);
  if (!field.oneOf || field.oneOf.includes(text)) return JSON.stringify(text);
  throw new FieldError(name, `must be one of ${field.oneOf.join(", ")}`);
}

function writeList(value: unknown, field: Field, name: string, now: number): string {
  if (!Array.isArray(value)) throw new FieldError(name, "must be a list");
  const fields = field.fields ?? [];
  const items = value.map((item: unknown, index) => {
    const path = `${name}[${index}]`;
    if (typeof item !== "object" || item === null || Array.isArray(item)) {
      throw new FieldError(path, "must be an object");
    }
    const written = writeFields(item, fields, now, `${path}.`);
    return `{${fields.map((inner, position) => `"${inner.name}":${written[position]}`).join(",")}}`;
  });
  return `[${items.join(",")}]`;
}

function refuseUnknown(values: object, fields: readonly Field[], path: string): never {
  const names = new Set(fields.map((field) => field.name));
  const unknown = Object.keys(values).find((name) => !names.has(name)) ?? "";
  throw new FieldError(path + quoted(unknown), "is not a field of this record");
}
