import Type, {
  type TObject,
  type TRefineAdd,
  type TSchema,
  type TString,
  type TStringOptions,
  type TUnsafe,
} from "typebox";
import type { HeaderName } from "./base.ts";

export const text = (description: string, example: string, form: TStringOptions = {}): TString =>
  Type.String({ ...form, description, examples: [example] });

/** The schema options of times in the API: UTC, with milliseconds. */
export const TIMESTAMP = {
  format: "date-time",
  pattern: "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$",
};

/** The schema of a nullable value: not a union, so that generated clients have a nullable type. */
export function orNull<T>(
  types: string | readonly string[],
  options: object = {},
): TUnsafe<T | null> {
  return Type.Unsafe<T | null>({ type: [...[types].flat(), "null"], ...options });
}

export const textOrNull = (description: string, example: string, form: object = {}) =>
  orNull<string>("string", { ...form, description, examples: [example] });

export const constant = <Value extends string>(value: Value, description: string) =>
  Type.Literal(value, { description, examples: [value] });

/**
 * The schema of a parameter or body field. Its error message says that the value must be `mustBe`.
 * `holds` checks a rule that the schema can't express.
 */
export function field<Schema extends TSchema>(
  schema: Schema,
  mustBe: string,
  holds: (value: unknown) => boolean = () => true,
): TRefineAdd<Schema> {
  return Type.Refine(schema, holds, () => mustBe);
}

export const integer = (
  [minimum, maximum]: readonly [number, number],
  options: {
    readonly default: number;
    readonly description: string;
    readonly examples: readonly number[];
  },
) =>
  field(Type.Integer({ minimum, maximum, ...options }), `an integer from ${minimum} to ${maximum}`);

export interface Example {
  readonly summary: string;
  readonly value: unknown;
}

export type Examples = Readonly<Record<string, Example>>;

export const example = (summary: string, value: unknown): Example => ({ summary, value });

/** An example of the object, made of the first example of each field. */
export function exampleOf({ properties }: TObject): Record<string, unknown> {
  const fields = Object.entries(
    properties as Record<string, { readonly examples?: readonly unknown[] } | TObject>,
  );
  return Object.fromEntries(
    fields.map(([name, field]) => [
      name,
      "properties" in field ? exampleOf(field) : field.examples?.[0],
    ]),
  );
}

type Content = Readonly<Record<string, { readonly schema: TSchema; readonly examples?: Examples }>>;

/** A response for a route's `schema.response`. Without content its body is empty. */
export const answer = (description: string, headers: readonly HeaderName[], content?: Content) => ({
  description,
  headers: Object.fromEntries(headers.map((name) => [name, {}])),
  ...(content ? { content } : { type: "null" }),
});

export type Answer = ReturnType<typeof answer>;

export const jsonAnswer = (
  schema: TSchema,
  description: string,
  headers: readonly HeaderName[],
  examples: Examples,
): Answer => answer(description, headers, { "application/json": { schema, examples } });

/** The headers of every response of a rate-limited endpoint. */
export const COUNTED = [
  "x-request-id",
  "x-ratelimit-limit",
  "x-ratelimit-remaining",
  "x-ratelimit-reset",
] as const;

const InvalidRequest = Type.Object(
  {
    error: constant("invalid_request", "Branch on the status and this code."),
    error_description: text(
      "For people; it may change.",
      "limit must be an integer from 1 to 1000.",
    ),
    param: text(
      "The parameter or field that is wrong, by its name in the request; `url` or `body` if it is not a single one.",
      "limit",
    ),
  },
  { $id: "InvalidRequest", description: "The rule that a parameter or field breaks." },
);

export const invalid = (param: string, error_description: string, summary: string): Example =>
  example(summary, { error: "invalid_request", error_description, param });

/** A 400 for a parameter or field. */
export const invalidAnswer = (examples: Examples, ...headers: readonly HeaderName[]): Answer =>
  jsonAnswer(
    InvalidRequest,
    "A parameter or field breaks a rule; `param` names it.",
    [...COUNTED, ...headers],
    examples,
  );
