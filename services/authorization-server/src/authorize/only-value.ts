/**
 * The one value of a parameter (RFC 6749 §3.1: each at most once, and an empty one counts as left out).
 *
 * @param refuse makes the error that is thrown of what is wrong
 */
export function onlyValue(query: URLSearchParams, name: string, refuse: (problem: string) => Error): string {
  const values = query.getAll(name);
  if (values.length > 1) throw refuse(`${name} is given more than once`);
  const [value] = values;
  if (!value) throw refuse(`${name} is ${value === undefined ? "missing" : "empty"}`);
  return value;
}
