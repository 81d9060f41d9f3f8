/** Whether a value is what a component's property may be. */
export type Kind = (value: unknown) => boolean;

type Kinds = Readonly<Record<string, Kind>>;

export interface Component {
  readonly required: Kinds;
  readonly optional: Kinds;
}

type Json = Readonly<Record<string, unknown>>;

export const object = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export const string: Kind = (value) => typeof value === "string";
export const boolean: Kind = (value) => typeof value === "boolean";
export const integer: Kind = (value) => Number.isInteger(value);
export const number: Kind = (value) => typeof value === "number";
export const oneOf =
  (...values: readonly string[]): Kind =>
  (value) =>
    values.includes(value as string);
export const any =
  (...kinds: readonly Kind[]): Kind =>
  (value) =>
    kinds.some((kind) => kind(value));
export const listOf =
  (kind: Kind): Kind =>
  (value) =>
    Array.isArray(value) && value.every(kind);
export const mapOf =
  (kind: Kind): Kind =>
  (value) =>
    object(value) && Object.values(value).every(kind);
/** A component of one of these types. What is inside of it is judged by its own row. */
export const of =
  (types: string): Kind =>
  (value) =>
    object(value) && types.split(" ").includes(String(value["type"]));

export const each = (kind: Kind, names: string): Kinds =>
  Object.fromEntries(names.split(" ").map((name) => [name, kind]));

export const component = (required: Kinds, ...optional: readonly Kinds[]): Component => ({
  required,
  optional: Object.assign({}, ...optional),
});

/** Nearly every component may have them. */
export const PARAMETERS = each(object, "$parameters");
