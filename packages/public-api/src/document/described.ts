import Type, { type TLiteral, type TString, type TStringOptions } from "typebox";
import type { Answer, Example, Examples } from "./operation.ts";

export const text = (description: string, example: string, form: TStringOptions = {}): TString =>
  Type.String({ ...form, description, examples: [example] });

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
