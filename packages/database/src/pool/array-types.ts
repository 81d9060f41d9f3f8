/**
 * The array types that we use, as parameters and in results. Without this list postgres.js queries them on each new
 * connection. If the connection is lost during that query, its error can't be caught, and the process ends. The oids are
 * those of pg_type, the same in every Postgres.
 */
export const ARRAY_TYPES = {
  textArray: { to: 1009, from: [1009, 1015], serialize: arrayLiteral, parse: parseTextArray },
  integerArray: { to: 1007, from: [], serialize: arrayLiteral, parse: String },
  bigintArray: { to: 1016, from: [], serialize: arrayLiteral, parse: String },
  timestamptzArray: { to: 1185, from: [], serialize: arrayLiteral, parse: String },
};

/** `{"a","b \"c\"",NULL}`; https://www.postgresql.org/docs/current/arrays.html#ARRAYS-IO */
function arrayLiteral(values: unknown): string {
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
function parseTextArray(literal: string): (string | null)[] {
  return Array.from(literal.matchAll(ELEMENT), ([, quoted, bare]) => {
    if (quoted !== undefined) return quoted.replace(/\\(.)/gs, "$1");
    return bare === undefined || bare.toUpperCase() === "NULL" ? null : bare;
  });
}
