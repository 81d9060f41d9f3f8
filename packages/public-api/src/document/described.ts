import Type, { type TLiteral, type TString, type TStringOptions, type TUnsafe } from "typebox";
import type { Answer, Example, Examples } from "./operation.ts";

export const text = (description: string, example: string, form: TStringOptions = {}): TString =>
  Type.String({ ...form, description, examples: [example] });

/** The form of a time as the API shows it: UTC, in milliseconds. */
export const TIMESTAMP = { format: "date-time", pattern: "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$" };

/** A value of these types, or null. One schema instead of a union: generated clients have a plain nullable type then. */
export function orNull<T>(types: string | readonly string[], options: object = {}): TUnsafe<T | null> {
  return Type.Unsafe<T | null>({ type: [...[types].flat(), "null"], ...options });
}

export const textOrNull = (description: string, example: string, form: object = {}): TUnsafe<string | null> =>
  orNull("string", { ...form, description, examples: [example] });

export const constant = <Value extends string>(value: Value, description: string): TLiteral<Value> =>
  Type.Literal(value, { description, examples: [value] });

/** An answer in JSON, of the component with this name. */
export const jsonAnswer = (
  component: string,
  description: string,
  headers: readonly string[],
  examples: Examples,
): Answer => ({
  description,
  headers,
  content: { "application/json": { schema: Type.Ref(`${component}#`), examples } },
});

export const example = (summary: string, value: unknown): Example => ({ summary, value });

/** Every answer of an endpoint whose calls are counted. */
export const COUNTED = ["x-request-id", "x-ratelimit-limit", "x-ratelimit-remaining", "x-ratelimit-reset"];
