import type { QueryParameters } from "@partner-connect/service-runtime";

const NONE: QueryParameters = new Map();

/** Replaces values that are not percent-encoded UTF-8; no parameter accepts it. */
const UNREADABLE = "\0";

/** Parses a URL's query. Omits names that are not percent-encoded UTF-8, because no parameter has such a name. */
export function readQuery(url: string): QueryParameters {
  const start = url.indexOf("?");
  if (start < 0 || start === url.length - 1) return NONE;
  const parameters = new Map<string, string[]>();
  for (const pair of url.slice(start + 1).split("&")) {
    if (pair === "") continue;
    const equals = pair.indexOf("=");
    const name = decode(equals < 0 ? pair : pair.slice(0, equals));
    if (name === null) continue;
    const value = equals < 0 ? "" : (decode(pair.slice(equals + 1)) ?? UNREADABLE);
    const values = parameters.get(name);
    if (values) values.push(value);
    else parameters.set(name, [value]);
  }
  return parameters;
}

function decode(text: string): string | null {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return null;
  }
}
