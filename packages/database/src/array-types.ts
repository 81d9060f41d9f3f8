/**
 * Arrays as values and in results. postgres.js would ask each new connection for the array types there are, and a
 * connection that is lost just then ends the process, as nobody can catch that query's error. So they are named here.
 * Oids: pg_type, the same in every Postgres.
 */
export const ARRAY_TYPES = {
  textArray: { to: 1009, from: [1009, 1015], serialize: arrayLiteral, parse: parseTextArray },
  integerArray: { to: 1007, from: [], serialize: arrayLiteral, parse: String },
  bigintArray: { to: 1016, from: [], serialize: arrayLiteral, parse: String },
  timestamptzArray: { to: 1185, from: [], serialize: arrayLiteral, parse: String },
};

/** `{"a","b \"c\"",NULL}`; https://www.postgresql.org/docs/current/arrays.html#ARRAYS-IO */
export function arrayLiteral(values: unknown): string {
  if (!Array.isArray(values)) return String(values);
  const elements = values.map((value) => {
    if (value === null || value === undefined) return "NULL";
    const text = value instanceof Date ? value.toISOString() : String(value);
    return `"${text.replace(/["\\]/g, "\\$&")}"`;
  });
  return `{${elements.join(",")}}`;
}

const ELEMENT = /"((?:[^"\\]|\\.)*)"|([^,{}"]+)/gs;

/** The elements of an array of one dimension. */
export function parseTextArray(literal: string): (string | null)[] {
  return Array.from(literal.matchAll(ELEMENT), ([, quoted, bare]) => {
    if (quoted !== undefined) return quoted.replace(/\\(.)/gs, "$1");
    return bare === undefined || bare.toUpperCase() === "NULL" ? null : bare;
  });
}
